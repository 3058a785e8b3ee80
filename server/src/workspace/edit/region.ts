/** A place in the text, in UTF-16 code units, and what is to stand there. Line ends of `replacement` are LF. */
export interface Region {
  start: number;
  end: number;
  replacement: string;
}
