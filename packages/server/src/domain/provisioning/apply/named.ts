import { findUserIds } from "../../directory/user-names.ts";
import { erasedAmong } from "../../persons/erasure-store.ts";
import { type AppliedState, memberItem } from "../applied-state.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { Run } from "./run.ts";

const AT_ONCE = 1_000;

/** The path of an entry's tenant: its `tenant` field, or the entry itself when that is absent. */
export function pathOfTenant(path: string, entry: { tenant?: string | undefined }): string {
  return entry.tenant === undefined ? path : `${path}.tenant`;
}

/** A list of a tenant's members in a file, each given by username or userId. */
interface NamedList {
  /** Its key in the file. */
  name: string;
  tenantId: string;
  accounts: readonly string[];
  /** The path of the n-th one in the file. */
  pathOf(index: number): string;
}

/**
 * The userIds of a list's members, in the same order; null for one who has been erased, also where somebody else has
 * taken the name since. By what name the file means whom is recorded for that: an erased member has none.
 *
 * @throws ProvisioningError for the first one that does not exist.
 */
export async function membersOf(run: Run, applied: AppliedState, list: NamedList): Promise<(string | null)[]> {
  const { tenantId, accounts, pathOf } = list;
  const names = new RecordedNames(applied, list.name);
  const erased = await erasedAmong(run.tx, names.userIds);
  const userIds: (string | null)[] = [];
  for (let from = 0; from < accounts.length; from += AT_ONCE) {
    const some = accounts.slice(from, from + AT_ONCE);
    const known = await findUserIds(run.tx, tenantId, some);
    for (const userId of await erasedAmong(run.tx, [...known.values()])) erased.add(userId);
    for (const [index, account] of some.entries()) {
      const userId = known.get(account);
      const isListed = run.isErased(tenantId, account);
      const isThere = userId !== undefined && !isListed && !erased.has(userId);
      if (isThere && names.has(userId, account)) userIds.push(userId);
      else if (names.isOfAny(erased, account) || isListed || (userId !== undefined && erased.has(userId))) {
        if (!isListed) run.report.skipErased(applied.entity, memberItem(list.name, account));
        userIds.push(null);
      } else if (userId === undefined) {
        throw new ProvisioningError(pathOf(from + index), `names an unknown member ${account} of ${tenantId}`);
      } else {
        names.note(userId, account);
        userIds.push(userId);
      }
    }
  }
  names.forgetOthers();
  return userIds;
}

/** By what name a list of a file names whom, as recorded when it was last applied. */
class RecordedNames {
  readonly #applied: AppliedState;
  readonly #list: string;
  readonly userIds: readonly string[];
  readonly #used = new Set<string>();

  constructor(applied: AppliedState, list: string) {
    this.#applied = applied;
    this.#list = `${list}-by-name`;
    this.userIds = applied.membersOf(this.#list);
  }

  /** Whether the list named the member so. */
  has(userId: string, account: string): boolean {
    if (!this.#applied.wasApplied(this.#itemOf(userId), account)) return false;
    this.#used.add(userId);
    return true;
  }

  /** Whether the list named one of the members so. */
  isOfAny(members: ReadonlySet<string>, account: string): boolean {
    return this.userIds.some((userId) => members.has(userId) && this.has(userId, account));
  }

  /** Records by what the list names the member; of several names, the first. */
  note(userId: string, account: string): void {
    if (this.#used.has(userId)) return;
    this.#used.add(userId);
    this.#applied.note(this.#itemOf(userId), account);
  }

  /** Forgets whom the list does not name any more. */
  forgetOthers(): void {
    for (const userId of this.userIds) if (!this.#used.has(userId)) this.#applied.forget(this.#itemOf(userId));
  }

  #itemOf(userId: string): string {
    return memberItem(this.#list, userId);
  }
}
