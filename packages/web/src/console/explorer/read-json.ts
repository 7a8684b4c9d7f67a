/** Why a text is no JSON: a word, and the place where the browser says so. */
export interface JsonFault {
  word: "badJson" | "badJsonAt";
  place: { line?: string; column?: string };
}

/** Browsers say in English where they gave up; some do not say it. */
const PLACE = /line (?<line>\d+) column (?<column>\d+)/;

/** The value of a text that is JSON; nothing for an empty one. `fault` is null when it can be read. */
export function readJson(text: string): { value: unknown; fault: JsonFault | null } {
  if (text.trim() === "") return { value: undefined, fault: null };
  try {
    return { value: JSON.parse(text), fault: null };
  } catch (error) {
    const place = PLACE.exec(String(error))?.groups;
    return { value: undefined, fault: place ? { word: "badJsonAt", place } : { word: "badJson", place: {} } };
  }
}
