import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { SecretBox } from "../../../platform/crypto/secret-box.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { PasswordHasher } from "../../accounts/passwords.ts";
import { type Change, recordChange } from "../../audit/audit-store.ts";
import type { DeskLive } from "../../customer-service/desk-live.ts";
import { foldCase } from "../../directory/fold-case.ts";
import type { Webhooks } from "../../webhooks/webhooks.ts";
import { AppliedState } from "../applied-state.ts";
import type { AppliedChanges, KnownItems } from "../applied-state-store.ts";
import type { Fingerprints } from "../fingerprints.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import { ProvisionReport } from "../report.ts";
import type { ProvisioningFile } from "../schema.ts";
import { PasswordsMissing, type PreparedPasswords } from "./passwords.ts";

/** The dependencies of applying a file: what to write to, and whom to notify after the commit. */
export interface ProvisioningContext {
  storage: Storage;
  secretBox: SecretBox;
  passwords: PasswordHasher;
  clock: Clock;
  config: Pick<Config, "limits">;
  apps: { forget(appId: string): void };
  live: { signedOut(userId: string): void; conversationsChanged(userId: string): void };
  deskLive: DeskLive & { agentsChanged(appId: string, userIds: readonly string[]): void };
  webhooks: Pick<Webhooks, "due" | "dueNow">;
}

/** Options of applying a file. */
export interface ProvisioningOptions {
  /** Applies everything in the file, changed or not, over all changes by people. */
  force?: boolean;
  /** Writes nothing. */
  dryRun?: boolean;
}

const SYSTEM = { type: "SYSTEM", id: "provisioning", address: "" } as const;

/** One run of applying a file, in one transaction. */
export class Run {
  readonly ctx: ProvisioningContext;
  readonly tx: Db;
  readonly file: ProvisioningFile;
  readonly isForced: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly report: ProvisionReport;
  readonly #passwords: PreparedPasswords;
  readonly #applied: Map<string, AppliedState>;
  readonly #erased: ReadonlySet<string>;
  /** The accounts by which the file names erased members, each with its tenant. */
  readonly #erasedAccounts = new Set<string>();
  readonly #created = new Set<string>();
  readonly #tenants = new Set<string>();
  readonly #effects: (() => void)[] = [];

  /** @param parts.entities the entities in the file, each once. */
  constructor(
    ctx: ProvisioningContext,
    tx: Db,
    parts: {
      file: ProvisioningFile;
      entities: readonly string[];
      known: ReadonlyMap<string, KnownItems>;
      fingerprints: Fingerprints;
      passwords: PreparedPasswords;
      /** The userIds of members who have been erased. */
      erased: ReadonlySet<string>;
      isForced: boolean;
    },
  ) {
    const { file, entities, known, fingerprints, passwords, erased, isForced } = parts;
    this.ctx = ctx;
    this.tx = tx;
    this.file = file;
    this.isForced = isForced;
    this.now = ctx.clock.now();
    this.report = new ProvisionReport(countsOf(file));
    this.#passwords = passwords;
    this.#erased = erased;
    this.#applied = new Map(
      entities.map((entity) => [
        entity,
        new AppliedState(entity, { known: known.get(entity), fingerprints, isForced }),
      ]),
    );
    for (const applied of this.#applied.values()) if (applied.isInherited) this.report.inherited++;
  }

  appliedStateOf(entity: string): AppliedState {
    const applied = this.#applied.get(entity);
    if (applied === undefined) throw new Error(`${entity} is none of the file's entities`);
    return applied;
  }

  /** The fingerprints to store. */
  appliedChanges(): AppliedChanges[] {
    return [...this.#applied.values()].map((applied) => applied.changes()).filter((changes) => changes !== null);
  }

  /** Records that an entity was created, with so many fields (`items`). */
  created(entity: string, items: number): void {
    this.#created.add(entity);
    this.report.change({ entity, item: "", after: true }, items);
  }

  isCreated(entity: string): boolean {
    return this.#created.has(entity);
  }

  /** Whether a member of the file has been erased: nothing in it brings them back. Notes by what else the file names them. */
  passesOver({ userId, username }: { userId: string; username: string }, tenantId: string): boolean {
    if (!this.#erased.has(userId)) return false;
    this.#erasedAccounts.add(`${tenantId} ${userId}`).add(`${tenantId} ${nameKey(username)}`);
    this.report.skipErased(`member:${userId}`);
    return true;
  }

  /** Whether a tenant's account, by userId or username, is that of a member of the file who has been erased. */
  isErased(tenantId: string, account: string): boolean {
    return [account, nameKey(account)].some((key) => this.#erasedAccounts.has(`${tenantId} ${key}`));
  }

  /** Writes a change to the audit log. */
  async audit(change: Change): Promise<void> {
    await recordChange(this.tx, SYSTEM, change, this.now);
  }

  /** Registers an effect to run after the commit. */
  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  committed(): void {
    for (const effect of this.#effects) effect();
  }

  /**
   * The tenant of an entry; the file's first one when the entry names none.
   *
   * @throws ProvisioningError when there is no such tenant.
   */
  async tenantOf(named: string | undefined, path: string): Promise<string> {
    const tenantId = named ?? this.file.tenants?.[0]?.id;
    if (tenantId === undefined)
      throw new ProvisioningError(path, "names no tenant, and the file lists none to default to");
    if (this.#tenants.has(tenantId)) return tenantId;
    const row = await this.tx
      .selectFrom("tenants")
      .select("tenant_id")
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    if (row === undefined) throw new ProvisioningError(path, `names an unknown tenant ${tenantId}`);
    this.#tenants.add(tenantId);
    return tenantId;
  }

  /**
   * The new hash that replaces `currentHash`; undefined when the password has not changed in the file or is the current
   * one. Records and reports the change.
   *
   * @throws PasswordsMissing when it must be hashed first.
   */
  changedPassword(applied: AppliedState, password: string | undefined, currentHash: string | null): string | undefined {
    if (password === undefined) return undefined;
    const hasChanged = applied.hasChanged("password", password);
    applied.note("password", password);
    if (!hasChanged || (currentHash !== null && this.#passwords.get(applied.entity)?.isOf === currentHash)) {
      this.report.unchanged++;
      return undefined;
    }
    const before = currentHash === null ? {} : { before: "set" };
    this.report.change({ entity: applied.entity, item: "password", ...before, after: "changed" });
    return this.#hashOf(applied, password);
  }

  /**
   * The password hash of a new person; null when there is no password. Records it.
   *
   * @throws PasswordsMissing when it must be hashed first.
   */
  firstPassword(applied: AppliedState, password: string | undefined): string | null {
    applied.note("password", password);
    return password === undefined ? null : this.#hashOf(applied, password);
  }

  #hashOf({ entity }: AppliedState, password: string): string {
    const hash = this.#passwords.get(entity)?.hash;
    if (hash === undefined) throw new PasswordsMissing([{ entity, password }]);
    return hash;
  }

  /** @throws PasswordsMissing with all new passwords that have no hash yet, before anything is written. */
  checkPasswords(people: readonly { entity: string; password: string | undefined }[]): void {
    const missing = people.flatMap(({ entity, password }) =>
      password !== undefined &&
      this.appliedStateOf(entity).hasChanged("password", password) &&
      !this.#passwords.has(entity)
        ? [{ entity, password }]
        : [],
    );
    if (missing.length > 0) throw new PasswordsMissing(missing);
  }
}

/** A username in any case; no userId is spelled so. */
function nameKey(username: string): string {
  return `~${foldCase(username)}`;
}

function countsOf({ tenants = [], members = [], groups = [], developers = [], apps = [] }: ProvisioningFile) {
  return {
    tenants: tenants.length,
    members: members.length,
    groups: groups.length,
    developers: developers.length,
    apps: apps.length,
  };
}
