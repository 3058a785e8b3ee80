/** A place in the text, in UTF-16 code units. */
export interface Region {
  start: number;
  end: number;
}
