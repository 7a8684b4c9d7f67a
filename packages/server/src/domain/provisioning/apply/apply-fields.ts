import { isDeepStrictEqual } from "node:util";
import { UNKNOWN_BEFORE } from "../report.ts";
import { ByDefault, type Given, type Said, saidValue } from "../said.ts";
import type { Run } from "./run.ts";

/** What a file changes of an entity's own fields, as they were and as they are. */
export interface FieldChanges<Fields> {
  before: Partial<Fields>;
  after: Partial<Fields>;
}

/**
 * What is to be changed of an entity that is there, so that what is news of its fields is as it is said; null when that is
 * nothing. Notes and reports it.
 */
export function changesOf<Fields extends object>(
  run: Run,
  said: Said,
  current: Fields,
  given: Given<Fields>,
): FieldChanges<Fields> | null {
  const changes: FieldChanges<Fields> = { before: {}, after: {} };
  let isChanged = false;
  for (const name of namesOf(given)) {
    const field = given[name];
    if (field === undefined) continue;
    const value = saidValue<Fields[typeof name] | undefined>(field);
    const isNews = said.isNews(name, field);
    said.note(name, field);
    const isSame = isDeepStrictEqual(value, current[name]);
    if (isSame || !isNews) {
      if (!isSame && said.isInherited) run.report.skip(said.entity, name, UNKNOWN_BEFORE);
      else if (!(field instanceof ByDefault)) run.report.unchanged++;
      continue;
    }
    isChanged = true;
    changes.before[name] = current[name];
    changes.after[name] = value;
    run.report.change({ entity: said.entity, item: name, before: current[name], after: value });
  }
  return isChanged ? changes : null;
}

/** The fields that an entity is made with: what is said, and what counts by default. */
export function fieldsOf<Fields extends object>(given: Given<Fields>): Partial<Fields> {
  const fields: Partial<Fields> = {};
  for (const name of namesOf(given)) {
    const value = given[name];
    if (value !== undefined) fields[name] = saidValue<Fields[typeof name] | undefined>(value);
  }
  return fields;
}

function namesOf<Fields extends object>(given: Given<Fields>): (keyof Fields & string)[] {
  return Object.keys(given) as (keyof Fields & string)[];
}

/** How many fields are said; what counts by default is not. */
export function countOf(fields: object): number {
  return Object.values(fields).filter((value) => value !== undefined && !(value instanceof ByDefault)).length;
}
