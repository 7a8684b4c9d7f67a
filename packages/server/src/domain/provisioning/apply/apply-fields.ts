import { isDeepStrictEqual } from "node:util";
import { type AppliedState, ByDefault, type Given, givenValue } from "../applied-state.ts";
import type { Run } from "./run.ts";

/** The fields of an entity that a file changes, before and after. */
export interface FieldChanges<Fields> {
  before: Partial<Fields>;
  after: Partial<Fields>;
}

/**
 * The changes to an existing entity: fields whose value in the file is new and differs from the stored one. Null when
 * there are none. Records and reports them.
 */
export function changesOf<Fields extends object>(
  run: Run,
  applied: AppliedState,
  current: Fields,
  given: Given<Fields>,
): FieldChanges<Fields> | null {
  const changes: FieldChanges<Fields> = { before: {}, after: {} };
  let isChanged = false;
  for (const name of namesOf(given)) {
    const field = given[name];
    if (field === undefined) continue;
    const value = givenValue<Fields[typeof name] | undefined>(field);
    const hasChanged = applied.hasChanged(name, field);
    applied.note(name, field);
    const isSame = isDeepStrictEqual(value, current[name]);
    if (isSame || !hasChanged) {
      if (!isSame && applied.isInherited) run.report.skipInherited(applied.entity, name);
      else if (!(field instanceof ByDefault)) run.report.unchanged++;
      continue;
    }
    isChanged = true;
    changes.before[name] = current[name];
    changes.after[name] = value;
    run.report.change({ entity: applied.entity, item: name, before: current[name], after: value });
  }
  return isChanged ? changes : null;
}

/** The fields of a new entity: values from the file, and defaults. */
export function fieldsOf<Fields extends object>(given: Given<Fields>): Partial<Fields> {
  const fields: Partial<Fields> = {};
  for (const name of namesOf(given)) {
    const value = given[name];
    if (value !== undefined) fields[name] = givenValue<Fields[typeof name] | undefined>(value);
  }
  return fields;
}

function namesOf<Fields extends object>(given: Given<Fields>): (keyof Fields & string)[] {
  return Object.keys(given) as (keyof Fields & string)[];
}

/** How many fields the file contains; defaults do not count. */
export function countOf(fields: object): number {
  return Object.values(fields).filter((value) => value !== undefined && !(value instanceof ByDefault)).length;
}
