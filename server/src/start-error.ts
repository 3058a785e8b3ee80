/**
 * What keeps the service from starting, in words for whoever starts it: `message` says what is wrong and what to do.
 * The entry point prints the message alone, without a stack, and exits with code 1.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartError";
  }
}
