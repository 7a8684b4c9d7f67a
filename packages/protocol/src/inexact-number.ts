/** A number of a JSON text, as it stands there. Lines and columns are counted from 1. */
export interface InexactNumber {
  source: string;
  line: number;
  column: number;
}

/** A string or a number; strings only so that what is in them is not taken for a number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The first number that reading the JSON text would change, since a double holds no such value: an id of twenty digits,
 * say. Null when there is none.
 *
 * @param json a text that `JSON.parse` takes.
 */
export function findInexactNumber(json: string): InexactNumber | null {
  for (const { 0: source, index } of json.matchAll(STRING_OR_NUMBER)) {
    if (source.startsWith('"') || plainDecimal(source) === plainDecimal(String(Number(source)))) continue;
    const before = json.slice(0, index).split("\n");
    return { source, line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }
  return null;
}

/** One spelling for all that mean the same number: its digits without zeros at their ends, and the power of ten. */
function plainDecimal(number: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return whole === "" ? number : "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
