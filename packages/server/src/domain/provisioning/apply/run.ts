import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { SecretBox } from "../../../platform/crypto/secret-box.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { PasswordHasher } from "../../accounts/passwords.ts";
import { type Change, recordChange } from "../../audit/audit-store.ts";
import type { DeskLive } from "../../customer-service/desk-live.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import { ProvisionReport } from "../report.ts";
import { Said } from "../said.ts";
import type { KnownItems, SaidChanges } from "../said-store.ts";
import type { ProvisioningFile } from "../schema.ts";
import { PasswordsMissing, type PreparedPasswords } from "./passwords.ts";

/** What applying a file needs: what to write, and whom to tell once it is on disk. */
export interface ProvisioningContext {
  storage: Storage;
  secretBox: SecretBox;
  passwords: PasswordHasher;
  clock: Clock;
  config: Pick<Config, "limits">;
  apps: { forget(appId: string): void };
  live: { signedOut(userId: string): void; conversationsChanged(userId: string): void };
  deskLive: DeskLive & { agentsChanged(appId: string): void };
  webhooks: { due(appId: string): void };
}

/** How a file is applied. */
export interface ProvisioningOptions {
  /** All of it, also what has not changed in it, whatever people have changed since. */
  force?: boolean;
  /** Nothing is written. */
  dryRun?: boolean;
}

const SYSTEM = { type: "SYSTEM", id: "provisioning", address: "" } as const;

/** One application of a file, in one transaction. */
export class Run {
  readonly ctx: ProvisioningContext;
  readonly tx: Db;
  readonly file: ProvisioningFile;
  readonly isForced: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly report: ProvisionReport;
  readonly #passwords: PreparedPasswords;
  readonly #said: Map<string, Said>;
  readonly #created = new Set<string>();
  readonly #tenants = new Set<string>();
  readonly #effects: (() => void)[] = [];

  /** @param parts.entities those that the file speaks of, each once. */
  constructor(
    ctx: ProvisioningContext,
    tx: Db,
    parts: {
      file: ProvisioningFile;
      entities: readonly string[];
      known: ReadonlyMap<string, KnownItems>;
      passwords: PreparedPasswords;
      isForced: boolean;
    },
  ) {
    const { file, entities, known, passwords, isForced } = parts;
    this.ctx = ctx;
    this.tx = tx;
    this.file = file;
    this.isForced = isForced;
    this.now = ctx.clock.now();
    this.report = new ProvisionReport(countsOf(file));
    this.#passwords = passwords;
    const fingerprint = ctx.secretBox.fingerprinter("provisioning");
    this.#said = new Map(
      entities.map((entity) => [entity, new Said(entity, { known: known.get(entity), fingerprint, isForced })]),
    );
    for (const said of this.#said.values()) if (said.isInherited) this.report.inherited++;
  }

  said(entity: string): Said {
    const said = this.#said.get(entity);
    if (said === undefined) throw new Error(`${entity} is none of the file's entities`);
    return said;
  }

  /** What is to be kept of what is said. */
  saidChanges(): SaidChanges[] {
    return [...this.#said.values()].map((said) => said.changes()).filter((changes) => changes !== null);
  }

  /** Notes that an entity has been made, as which `items` fields say. */
  created(entity: string, items: number): void {
    this.#created.add(entity);
    this.report.change({ entity, item: "", after: true }, items);
  }

  isCreated(entity: string): boolean {
    return this.#created.has(entity);
  }

  /** Writes a change to the audit log. */
  async audit(change: Change): Promise<void> {
    await recordChange(this.tx, SYSTEM, change, this.now);
  }

  /** Has something done once all is on disk. */
  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  committed(): void {
    for (const effect of this.#effects) effect();
  }

  /**
   * The tenant that an entry names, or the file's first when it names none.
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
   * The hash of a password that takes the place of the one with `currentHash`; undefined when the password is not news, or
   * is the one that the account has. Notes and reports it.
   *
   * @throws PasswordsMissing when it has to be hashed first.
   */
  changedPassword(said: Said, password: string | undefined, currentHash: string | null): string | undefined {
    if (password === undefined) return undefined;
    const isNews = said.isNews("password", password);
    said.note("password", password);
    if (!isNews || (currentHash !== null && this.#passwords.get(said.entity)?.isOf === currentHash)) {
      this.report.unchanged++;
      return undefined;
    }
    const before = currentHash === null ? {} : { before: "set" };
    this.report.change({ entity: said.entity, item: "password", ...before, after: "changed" });
    return this.#hashOf(said, password);
  }

  /**
   * The hash of the password that somebody new has; null when they have none. Notes it.
   *
   * @throws PasswordsMissing when it has to be hashed first.
   */
  firstPassword(said: Said, password: string | undefined): string | null {
    said.note("password", password);
    return password === undefined ? null : this.#hashOf(said, password);
  }

  #hashOf({ entity }: Said, password: string): string {
    const hash = this.#passwords.get(entity)?.hash;
    if (hash === undefined) throw new PasswordsMissing([{ entity, password }]);
    return hash;
  }

  /** @throws PasswordsMissing naming all that are news and have not been hashed, before anything is written. */
  checkPasswords(people: readonly { entity: string; password: string | undefined }[]): void {
    const missing = people.flatMap(({ entity, password }) =>
      password !== undefined && this.said(entity).isNews("password", password) && !this.#passwords.has(entity)
        ? [{ entity, password }]
        : [],
    );
    if (missing.length > 0) throw new PasswordsMissing(missing);
  }
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
