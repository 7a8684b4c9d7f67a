/** A number in a JSON text, as written. Lines and columns start at 1. */
export interface InexactNumber {
  source: string;
  line: number;
  column: number;
}

/** A string or a number. Matches strings so that digits in them are skipped. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The first number that parsing the JSON text would change, because a double cannot represent it, e.g. an id of twenty
 * digits. Null when there is none.
 *
 * @param json a valid JSON text.
 */
export function findInexactNumber(json: string): InexactNumber | null {
  for (const { 0: source, index } of json.matchAll(STRING_OR_NUMBER)) {
    if (source.startsWith('"') || plainDecimal(source) === plainDecimal(String(Number(source)))) continue;
    const before = json.slice(0, index).split("\n");
    return { source, line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }
  return null;
}

/** Normalises a number: its digits without leading and trailing zeros, and the power of ten. */
function plainDecimal(number: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return whole === "" ? number : "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
