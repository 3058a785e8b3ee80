import { stringify } from "csv-stringify/sync";
import Negotiator from "negotiator";

/** The parameters are those of RFC 4180, section 3: the first line names the columns. */
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/**
 * True when a client would rather have CSV than JSON, by its Accept header (RFC 9110, section 12.5.1). Whoever names
 * neither gets JSON.
 */
export function prefersCsv(accept: string | undefined): boolean {
  // The type's own parameters would have to be the same to match.
  const plain = accept?.replaceAll(/;\s*(charset|header)\s*=\s*[^;,]*/gi, "");
  const negotiator = new Negotiator({ headers: { accept: plain ?? "*/*" } });
  return negotiator.mediaType(["application/json", "text/csv"]) === "text/csv";
}

export type CsvRow = Readonly<Record<string, string | number | null>>;

/**
 * CSV as RFC 4180 has it: CRLF, quotes where they are needed. A text that a spreadsheet would run as a formula gets an
 * apostrophe in front, as https://owasp.org/www-community/attacks/CSV_Injection advises: paths and agents come from
 * whoever sent a request.
 */
export function formatCsv(columns: readonly string[], rows: readonly CsvRow[]): string {
  return stringify([...rows], {
    columns: [...columns],
    header: true,
    record_delimiter: "windows",
    escape_formulas: true,
    // The library looks for the whole CRLF only.
    quoted_match: /[\r\n]/,
  });
}
