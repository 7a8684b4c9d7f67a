const TO_ESCAPE = /["\\]/;
const ALL_TO_ESCAPE = /["\\]/g;

/**
 * The text form of an array parameter (PostgreSQL's documentation, "Array Input and Output Syntax"). Statements for many
 * calls have a dozen arrays each, and the driver's own form takes two replacements for each element.
 *
 * @returns null for arrays of anything but texts, numbers and null, which the driver writes itself.
 */
export function arrayLiteral(items: readonly unknown[]): string | null {
  let text = "{";
  let comma = "";
  for (const item of items) {
    text += comma;
    comma = ",";
    if (item === null) text += "NULL";
    else if (typeof item === "number") text += item;
    else if (typeof item === "string") text += quoted(item);
    else return null;
  }
  return `${text}}`;
}

function quoted(text: string): string {
  return TO_ESCAPE.test(text) ? `"${text.replace(ALL_TO_ESCAPE, "\\$&")}"` : `"${text}"`;
}
