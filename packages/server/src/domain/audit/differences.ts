import { isDeepStrictEqual } from "node:util";

/** The changed fields of an object, before and after. */
interface Differences<Thing> {
  before: Partial<Thing>;
  after: Partial<Thing>;
}

/** The fields of `thing` that `next` changes; fields missing in `next` do not change. Null when nothing changes. */
export function differencesOf<Thing extends object>(thing: Thing, next: Partial<Thing>): Differences<Thing> | null {
  const names = (Object.keys(thing) as (keyof Thing)[]).filter(
    (name) => next[name] !== undefined && !isDeepStrictEqual(next[name], thing[name]),
  );
  if (names.length === 0) return null;
  const side = (of: Partial<Thing>) => Object.fromEntries(names.map((name) => [name, of[name]])) as Partial<Thing>;
  return { before: side(thing), after: side(next) };
}
