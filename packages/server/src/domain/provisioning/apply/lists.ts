import { UNKNOWN_BEFORE } from "../report.ts";
import { memberItem, type Said } from "../said.ts";
import type { Run } from "./run.ts";

/** The changes of a list. */
export interface ListChanges {
  added: string[];
  removed: string[];
}

/** A list in a file. */
interface GivenList {
  /** Its key in the file. */
  name: string;
  /** Its members, as identified in the database. */
  given: Iterable<string>;
  /** Reads and locks the current members. */
  present(): Promise<Iterable<string>>;
  /** The entity that a member refers to. */
  entityOf?(member: string): string;
}

/** Whether a list has any change that must be applied. */
export function hasListNews(said: Said, name: string, given: Iterable<string>): boolean {
  const members = new Set(given);
  return (
    said.hasNews({ [name]: true }) ||
    [...members].some((member) => said.isNews(memberItem(name, member), true)) ||
    said.membersOf(name).some((member) => !members.has(member))
  );
}

/**
 * The changes of a list: members added to the file's list are added, members removed from it are removed; members that
 * people added stay. When the file contains the list for the first time, or when forced, the list becomes exactly the
 * file's. Records and reports the changes.
 */
export async function listChangesOf(run: Run, said: Said, list: GivenList): Promise<ListChanges> {
  const { name } = list;
  const given = new Set(list.given);
  if (!hasListNews(said, name, given)) {
    run.report.unchanged += given.size;
    return { added: [], removed: [] };
  }
  const present = new Set(await list.present());
  const isWhole = run.isForced || !said.knows(name);
  const missing = [...given].filter((member) => !present.has(member));
  const changes = said.isInherited
    ? { added: missing.filter((member) => isSurelyNew(run, list, member)), removed: [] }
    : {
        added: missing.filter((member) => said.isNews(memberItem(name, member), true)),
        removed: (isWhole ? [...present] : said.membersOf(name)).filter(
          (member) => present.has(member) && !given.has(member),
        ),
      };
  note(said, name, given);
  report(run, said, name, changes);
  const skipped = said.isInherited ? missing.filter((member) => !changes.added.includes(member)) : [];
  for (const member of skipped) run.report.skip(said.entity, memberItem(name, member), UNKNOWN_BEFORE);
  run.report.unchanged += given.size - changes.added.length - skipped.length;
  return changes;
}

/** In a list of an upgraded store, a member that did not exist before cannot have been removed by people. */
function isSurelyNew(run: Run, { entityOf }: GivenList, member: string): boolean {
  return entityOf !== undefined && run.isCreated(entityOf(member));
}

function note(said: Said, name: string, given: ReadonlySet<string>): void {
  said.note(name, true);
  for (const member of given) said.note(memberItem(name, member), true);
  for (const member of said.membersOf(name)) if (!given.has(member)) said.forget(memberItem(name, member));
}

function report(run: Run, { entity }: Said, name: string, { added, removed }: ListChanges): void {
  for (const member of added) run.report.change({ entity, item: memberItem(name, member), after: true });
  for (const member of removed) run.report.change({ entity, item: memberItem(name, member), before: true });
}
