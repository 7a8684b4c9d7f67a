/** By this mark alone spreadsheets take a text for UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** What a spreadsheet would take for a formula, and run: people choose their names. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A line of CSV (RFC 4180), whose values are texts to every program. */
export function csvLine(values: readonly string[]): string {
  const written = values.map((value) => {
    const harmless = FORMULA.test(value.trimStart()) || FORMULA.test(value) ? `'${value}` : value;
    return `"${harmless.replaceAll('"', '""')}"`;
  });
  return `${written.join(",")}\r\n`;
}
