/** What the scripted model is to do with a job, written into the job's prompt. */
export interface Order {
  /** The marker by which the model server tells jobs apart. */
  id: string;
  /** Hold every answer back until the bench releases it. */
  hold?: boolean;
  edit: PageEdit;
}

/** A change of one sentence: `before` is in the page exactly once. */
export interface PageEdit {
  path: string;
  before: string;
  after: string;
}

const MARKER = "bench-order ";

export function toPrompt(order: Order): string {
  return MARKER + JSON.stringify(order);
}

/** @throws Error when the text holds no order. */
export function readOrder(text: string): Order {
  const start = text.indexOf(MARKER);
  if (start < 0) throw new Error("The prompt holds no order for the scripted model.");
  const line = text.slice(start + MARKER.length).split("\n")[0] ?? "";
  const order: Order = JSON.parse(line);
  return order;
}
