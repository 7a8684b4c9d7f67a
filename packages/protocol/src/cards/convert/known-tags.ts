import { isJsonObject, type JsonObject, member } from "../index.ts";
import type { ChangeLog } from "./changes.ts";
import { chartFrom } from "./convert-chart.ts";
import { firstOf, listIn, textIn, without } from "./read.ts";

/** Rewrites a component whose tag is known here too, and whose fields differ; null leaves it out. */
type Adapter = (element: JsonObject, log: ChangeLog) => JsonObject | null;

export const adapters: Readonly<Record<string, Adapter>> = {
  button: adaptButton,
  column_set: adaptColumns,
  table: adaptTable,
  chart: chartFrom,
  person_list: adaptPersons,
};

/** What a button does stands in `url` or `value` here. */
function adaptButton(element: JsonObject, log: ChangeLog): JsonObject {
  let adapted = element;
  const several = member(element, "multi_url");
  if (isJsonObject(several)) {
    const url = textIn(firstOf(adapted, ["url"]) ?? firstOf(several, ["url", "pc_url", "android_url", "ios_url"]));
    adapted = without(adapted, ["multi_url", ...(url === "" ? ["url"] : [])]);
    if (url !== "") adapted = { ...adapted, url };
    log.add("moved", "multi_url", "url");
  }
  const behaviors = listIn(adapted, "behaviors").filter(isJsonObject);
  if (behaviors.length === 0) return adapted;
  adapted = without(adapted, ["behaviors"]);
  for (const behavior of behaviors) adapted = withBehavior(adapted, behavior, log);
  return adapted;
}

function withBehavior(button: JsonObject, behavior: JsonObject, log: ChangeLog): JsonObject {
  const type = member(behavior, "type");
  const address = textIn(firstOf(behavior, ["default_url", "pc_url", "url", "android_url", "ios_url"]));
  if (type === "open_url" && address !== "") {
    log.add("moved", "behaviors", "url");
    return { ...button, url: address };
  }
  const value = member(behavior, "value");
  if (type === "callback" && value !== undefined) {
    log.add("moved", "behaviors", "value");
    return { ...button, value };
  }
  log.add("dropped", `behaviors: ${textIn(type)}`);
  return button;
}

/** A column without a tag is a column all the same. */
function adaptColumns(element: JsonObject, log: ChangeLog): JsonObject {
  const columns = listIn(element, "columns");
  if (columns.every((column) => !isJsonObject(column) || member(column, "tag") !== undefined)) return element;
  log.add("replaced", "{ }", "column");
  return {
    ...element,
    columns: columns.map((column) => (isJsonObject(column) ? { tag: "column", ...column } : column)),
  };
}

/** The entries of `columns` would count as components; the cells stand in `rows`, the first being the header. */
function adaptTable(element: JsonObject, log: ChangeLog): JsonObject {
  const columns = listIn(element, "columns").filter(isJsonObject);
  if (member(element, "columns") === undefined) return element;
  const rows = listIn(element, "rows");
  log.add("moved", "columns", "rows");
  const rest = without(element, ["columns"]);
  if (columns.length === 0 || rows.some(Array.isArray)) return rest;
  const names = columns.map((column) => textIn(member(column, "name")));
  const header = columns.map(
    (column, index) => textIn(firstOf(column, ["display_name", "title", "label"])) || names[index],
  );
  const cells = rows.filter(isJsonObject).map((row) => names.map((name) => cellText(member(row, name))));
  return { ...rest, rows: [header, ...cells] };
}

function cellText(cell: unknown): string {
  if (Array.isArray(cell)) return cell.map(cellText).filter(Boolean).join(", ");
  return textIn(cell) || (isJsonObject(cell) ? textIn(firstOf(cell, ["name", "user_name", "value"])) : "");
}

/** A person is found by `user_id` here. */
function adaptPersons(element: JsonObject, log: ChangeLog): JsonObject {
  const persons = listIn(element, "persons");
  const isForeign = (person: unknown): person is JsonObject =>
    isJsonObject(person) && firstOf(person, ["name", "user_name", "user_id"]) === undefined && "id" in person;
  if (!persons.some(isForeign)) return element;
  log.add("moved", "id", "user_id");
  return {
    ...element,
    persons: persons.map((person) => (isForeign(person) ? { ...without(person, ["id"]), user_id: person.id } : person)),
  };
}
