import { isJsonObject, member } from "@portico/protocol/cards";

const REPORTING =
  /^(?:button|overflow|input|textarea|checkbox|radio|select_.*|multi_select_.*|date_picker|picker_datetime)$/;

/** The controls in a card that report what is done with them and have no name, by which a bot would hear it. */
export function unnamedControls(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(unnamedControls);
  if (!isJsonObject(value)) return [];
  const inside = Object.values(value).flatMap(unnamedControls);
  const isControl = REPORTING.test(String(member(value, "tag"))) && member(value, "url") === undefined;
  return isControl && typeof member(value, "name") !== "string" ? [value, ...inside] : inside;
}
