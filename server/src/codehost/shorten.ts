const NOTE = "\n\n… This was cut here: it is longer than the code host takes.";

/** A body within what the code host takes, in UTF-16 units; what was cut says so. */
export function shortenBody(body: string, charactersMax: number): string {
  return body.length <= charactersMax ? body : cut(body, charactersMax - NOTE.length) + NOTE;
}

/** A title within what the code host takes. */
export function shortenTitle(title: string, charactersMax: number): string {
  return title.length <= charactersMax ? title : `${cut(title, charactersMax - 1).trimEnd()}…`;
}

/** Never between the two halves of one character. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}
