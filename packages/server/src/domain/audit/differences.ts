import { isDeepStrictEqual } from "node:util";

/** What differs between two states of a thing: for each differing member, as it was and as it is. */
interface Differences<Thing> {
  before: Partial<Thing>;
  after: Partial<Thing>;
}

/** What `next` changes of `thing`; members that it leaves out stay as they are. Null when that is nothing. */
export function differencesOf<Thing extends object>(thing: Thing, next: Partial<Thing>): Differences<Thing> | null {
  const names = (Object.keys(thing) as (keyof Thing)[]).filter(
    (name) => next[name] !== undefined && !isDeepStrictEqual(next[name], thing[name]),
  );
  if (names.length === 0) return null;
  const side = (of: Partial<Thing>) => Object.fromEntries(names.map((name) => [name, of[name]])) as Partial<Thing>;
  return { before: side(thing), after: side(next) };
}
