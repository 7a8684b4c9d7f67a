import { type AppliedState, memberItem } from "../applied-state.ts";
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
export function hasListChanged(applied: AppliedState, name: string, given: Iterable<string>): boolean {
  const members = new Set(given);
  return (
    applied.hasChanges({ [name]: true }) ||
    [...members].some((member) => applied.hasChanged(memberItem(name, member), true)) ||
    applied.membersOf(name).some((member) => !members.has(member))
  );
}

/**
 * The changes of a list: members added to the file's list are added, members removed from it are removed; members that
 * people added stay. When the file contains the list for the first time, or when forced, the list becomes exactly the
 * file's. Records and reports the changes.
 */
export async function listChangesOf(run: Run, applied: AppliedState, list: GivenList): Promise<ListChanges> {
  const { name } = list;
  const given = new Set(list.given);
  if (!hasListChanged(applied, name, given)) {
    run.report.unchanged += given.size;
    return { added: [], removed: [] };
  }
  const present = new Set(await list.present());
  const isWhole = run.isForced || !applied.knows(name);
  const missing = [...given].filter((member) => !present.has(member));
  const changes = applied.isInherited
    ? { added: missing.filter((member) => isSurelyNew(run, list, member)), removed: [] }
    : {
        added: missing.filter((member) => applied.hasChanged(memberItem(name, member), true)),
        removed: (isWhole ? [...present] : applied.membersOf(name)).filter(
          (member) => present.has(member) && !given.has(member),
        ),
      };
  note(applied, name, given);
  report(run, applied, name, changes);
  const skipped = applied.isInherited ? missing.filter((member) => !changes.added.includes(member)) : [];
  for (const member of skipped) run.report.skipInherited(applied.entity, memberItem(name, member));
  run.report.unchanged += given.size - changes.added.length - skipped.length;
  return changes;
}

/** In a list of an upgraded store, a member that did not exist before cannot have been removed by people. */
function isSurelyNew(run: Run, { entityOf }: GivenList, member: string): boolean {
  return entityOf !== undefined && run.isCreated(entityOf(member));
}

function note(applied: AppliedState, name: string, given: ReadonlySet<string>): void {
  applied.note(name, true);
  for (const member of given) applied.note(memberItem(name, member), true);
  for (const member of applied.membersOf(name)) if (!given.has(member)) applied.forget(memberItem(name, member));
}

function report(run: Run, { entity }: AppliedState, name: string, { added, removed }: ListChanges): void {
  for (const member of added) run.report.change({ entity, item: memberItem(name, member), after: true });
  for (const member of removed) run.report.change({ entity, item: memberItem(name, member), before: true });
}
