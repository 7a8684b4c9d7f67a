/** The most characters that a page sends as one text; the service's own limit is that of a request. */
export const MOST_TEXT_LENGTH = 10_000;

/** By how many characters a text is longer than `most`; counted as the service counts, where an emoji is one or several but never half. */
export function excessOf(text: string, most: number): number {
  // No text has more characters than code units: of most texts nothing has to be counted.
  return text.length <= most ? 0 : Math.max(0, text.length - pairsIn(text) - most);
}

/** As much of a text as `most` code units hold, and no half character. */
export function beginningOf(text: string, most: number): string {
  return isHighHalf(text.charCodeAt(most - 1)) && text.length > most ? text.slice(0, most - 1) : text.slice(0, most);
}

/** Characters that take two code units. */
function pairsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++)
    if (isHighHalf(text.charCodeAt(at)) && isLowHalf(text.charCodeAt(at + 1))) count++;
  return count;
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
