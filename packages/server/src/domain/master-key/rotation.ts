import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { ConfigError } from "../../platform/config/config-error.ts";
import {
  faultOf,
  isResealed,
  type KeyState,
  type Rotation,
  readKeyState,
  sealingOf,
  uniqueKeys,
} from "../../platform/crypto/key-state.ts";
import { type KeyPlaces, ownsKeyFile, readMasterKeys, writeMasterKeys } from "../../platform/crypto/master-key-file.ts";
import { keyIdOf, SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Retirement } from "../../platform/retirement.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { recordChange } from "../audit/audit-store.ts";
import { type KeyHolder, type KnownKeys, listKeyHolders } from "../processes/known-keys.ts";
import { lockProvisioning } from "../provisioning/applied-state-store.ts";
import { addFingerprintKey } from "../provisioning/fingerprints.ts";
import { dropLease, takeLease } from "./lease.ts";
import { renewables, type Seen } from "./renewable.ts";
import { beginRotation, lockKeyState, putRotation } from "./rotation-store.ts";

/** How often the keys and the database's word on them are looked at. */
const LOOK_EVERY_MS = 2_000;
/**
 * For {@link Parts.quietMs} beside callers: longer than any of their transactions. What was sealed under the earlier key
 * before the last process took the new one is stored by then, or never.
 */
export const QUIET_MS = 15_000;
const RENEW_LEASE_MS = 10_000;
/** Rows that are sealed anew in one transaction: a turn of SQLite's writer must stay short. */
const MOST_AT_ONCE = 100;

/** What is said of the keys again and again, unless it is the same. */
type Subject = "file" | "keys" | "others";

/** What a look at everything has found. */
interface Pass {
  /** Values that hung on an earlier key, whether they could be renewed or will be next time. */
  left: number;
  /** Boxes that none of the keys opens. */
  unreadable: number;
}

interface Parts {
  storage: Storage;
  secretBox: SecretBox;
  places: KeyPlaces;
  /** The keys that the secret box was opened with. */
  masterKeys: readonly Buffer[];
  /** Whether there can be no other process on the database. */
  isAlone: boolean;
  /** How long what was given out under an earlier key, and is not stored, may be used. */
  settleMs: number;
  /** How long after the last process took the new key something sealed under an earlier one may still be stored. */
  quietMs: number;
  /** The clock that all processes share. */
  dueClock: { now(): number };
  log: Logger;
  retirement: Retirement;
}

/**
 * Takes a store from one master key to the next while it is used. The state is in the database, so that any process, and the
 * next start, goes on from it:
 *
 * - **waiting**: the first configured key is not the one that seals. Once every process has it in front, one of them lets it
 *   seal, in one transaction, and the others follow when they look next. All of them open both keys.
 * - **resealing**: one process at a time (see lease.ts) seals everything anew in small transactions. It ends when nothing is
 *   left, and nothing can have been sealed under an earlier key for a while.
 * - **settling**: nothing that is stored needs an earlier key; tickets and cookies that were given out do, until they end.
 * - **done**: nothing does. A key file of the service's own is left with the new key alone.
 */
export class MasterKeyRotation {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  /** The name of this process in the lease. */
  readonly #holder = randomUUID();
  #configured: readonly Buffer[];
  /** What was configured when the database last needed all of it. */
  #known: readonly Buffer[];
  /** Whether what is configured is what the database needs; else a restart would fail, and no new key may come into force. */
  #isEnough = true;
  #told: KnownKeys;
  #running: Promise<void> | null = null;
  #isClosing = false;
  #tell: () => Promise<void> = async () => {};
  /** What was logged last of each subject, so that it is said once. */
  readonly #said = new Map<Subject, string>();
  #leaseTakenAt = Number.NEGATIVE_INFINITY;
  /** Whether the last look at everything found nothing to seal anew. */
  #wasClean = false;
  /** Since when all processes have been known to seal with the new key. */
  #agreedSince: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#configured = parts.masterKeys;
    this.#known = parts.masterKeys;
    this.#told = this.knownKeys();
    this.#timer = setInterval(() => void this.run(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** What the other processes have to know of this one's keys. */
  knownKeys(): KnownKeys {
    const [first] = this.#configured;
    const { sealingKeyId: sealing } = this.#parts.secretBox;
    return { first: first === undefined || !this.#isEnough ? sealing : keyIdOf(first), sealing };
  }

  /** `tell` is called when {@link knownKeys} has changed. */
  onChange(tell: () => Promise<void>): void {
    this.#tell = tell;
  }

  /**
   * Has the last word on whether this process may begin: after it has told the others of its keys, so that either they wait
   * for it, or it sees what they have done.
   *
   * @throws ConfigError when a key is missing.
   */
  async join(): Promise<void> {
    if (this.#parts.isAlone) return;
    const fault = faultOf(await this.#parts.storage.write(lockKeyState), this.#configured);
    if (fault !== null) throw new ConfigError(fault);
  }

  /** Takes the next step, unless one is being taken; never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#look()
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, "the master key could not be looked after; tried again"),
      )
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Ends after the transaction that is running; the rotation goes on from there another time. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#running;
    await this.#dropLease();
  }

  async #look(): Promise<void> {
    this.#readConfigured();
    const state = await readKeyState(this.#parts.storage.db);
    await this.#adopt(state);
    if (this.#parts.retirement.reason !== null || this.#isClosing) return;
    if (this.knownKeys().first !== this.knownKeys().sealing) await this.#begin();
    else if (!isResealed(state)) await this.#reseal();
    else if (state.rotation !== null) await this.#settle(state.rotation);
  }

  /** What cannot be read leaves the last keys in force. */
  #readConfigured(): void {
    try {
      const read = readMasterKeys(this.#parts.places);
      if (read.length > 0) {
        this.#configured = read;
        this.#said.delete("file");
      } else
        this.#say("file", "error", "the file with the master key is gone: restore it, or the next start will fail");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#say(
        "file",
        "error",
        `the master keys cannot be read as they are now, the last ones stay in force: ${reason}`,
      );
    }
  }

  /** Follows the database: which key seals, and which ones have to be known. */
  async #adopt(state: KeyState): Promise<void> {
    const { secretBox, retirement, log } = this.#parts;
    const all = uniqueKeys([...this.#configured, ...this.#known]);
    const fault = faultOf(state, all);
    if (fault !== null) {
      log.fatal(fault);
      return retirement.begin(fault);
    }
    const sealing = sealingOf(state, all);
    if (sealing === null) return;
    // A key that was taken out too early is not forgotten before the process ends.
    const missing = faultOf(state, this.#configured);
    this.#isEnough = missing === null;
    if (this.#isEnough) this.#said.delete("keys");
    else this.#say("keys", "error", `${missing}; this process goes on with the keys that it has`);
    const known = this.#isEnough ? this.#configured : all;
    if (isSame(known, this.#known) && secretBox.sealingKeyId === sealing.keyId) return await this.#tellChange();
    secretBox.use(known, sealing);
    this.#known = known;
    await this.#tellChange();
  }

  async #tellChange(): Promise<void> {
    const now = this.knownKeys();
    if (now.first === this.#told.first && now.sealing === this.#told.sealing) return;
    await this.#tell();
    this.#told = now;
  }

  /** Lets the first configured key seal, once every process has it there. */
  async #begin(): Promise<void> {
    const { storage, secretBox, dueClock, log } = this.#parts;
    const { first } = this.knownKeys();
    const isReady = ({ keys }: KeyHolder) => keys?.first === first;
    if (!(await this.#doAll(storage.db, isReady, `to have the master key ${first} in front`))) return;
    const next = new SecretBox(this.#known, { keyId: first, isNamed: true });
    const begun = await storage.unhurried.write(async (tx) => {
      // Processes that start look at the same row, after they have told of themselves.
      const state = await lockKeyState(tx);
      if (sealingOf(state, this.#known)?.keyId !== secretBox.sealingKeyId) return null;
      if (!this.#parts.isAlone && !(await listKeyHolders(tx, dueClock.now())).every(isReady)) return null;
      const rotation = await beginRotation(tx, state, { sealing: secretBox, next, now: dueClock.now() });
      await addFingerprintKey(tx, secretBox, next);
      await recordChange(tx, ACTOR, changeOf("begin", rotation), dueClock.now());
      return rotation;
    });
    if (begun === null) return;
    const from = begun.from.map(({ keyId }) => keyId);
    this.#wasClean = false;
    log.info({ from, to: begun.to }, "the master key is rotated: the new key seals, and what is stored is sealed anew");
    await this.#adopt(await readKeyState(storage.db));
  }

  async #reseal(): Promise<void> {
    const { storage, secretBox, dueClock, settleMs, quietMs, log } = this.#parts;
    const to = secretBox.sealingKeyId;
    const hasAgreed = await this.#doAll(storage.db, ({ keys }) => keys?.sealing === to, `to seal with ${to}`);
    const now = dueClock.now();
    this.#agreedSince = hasAgreed ? (this.#agreedSince ?? now) : null;
    const isQuiet = this.#agreedSince !== null && now - this.#agreedSince >= quietMs;
    // Until then something sealed under an earlier key may come, and is looked for when it cannot any more.
    if (this.#wasClean && !isQuiet) return;
    const pass = await this.#renewAll();
    this.#wasClean = pass !== null && pass.left === 0;
    if (pass === null || !this.#wasClean || !isQuiet) return;
    const { unreadable } = pass;
    const marked = await storage.unhurried.write(async (tx) => {
      const state = await lockKeyState(tx);
      if (state.rotation?.to !== to || isResealed(state)) return false;
      await putRotation(tx, { ...state.rotation, unreadable, resealedAt: now, settlesAt: now + settleMs });
      return true;
    });
    this.#agreedSince = null;
    this.#wasClean = false;
    await this.#dropLease();
    if (!marked) return;
    log.info({ unreadable, settlesAt: now + settleMs }, "all that is stored is sealed under the new master key");
    if (unreadable > 0)
      log.error({ unreadable }, "secrets are stored that no master key opens: `portico check-store` names them");
  }

  /** The end: once more everything, which nothing can be behind of any more. */
  async #settle(rotation: Rotation): Promise<void> {
    const { storage, dueClock, log } = this.#parts;
    if (rotation.doneAt !== null) return await this.#tidy(rotation);
    const now = dueClock.now();
    if (now < (rotation.settlesAt ?? 0)) return;
    // A provisioning file that has been applied since before the rotation, for hours, is waited for.
    await storage.unhurried.write(lockProvisioning);
    const pass = await this.#renewAll();
    if (pass === null || pass.left > 0) return;
    const { unreadable } = pass;
    const done = await storage.unhurried.write(async (tx) => {
      const state = await lockKeyState(tx);
      if (state.rotation?.to !== rotation.to || state.rotation.doneAt !== null) return null;
      const ended = { ...state.rotation, unreadable, doneAt: now };
      await putRotation(tx, ended);
      await recordChange(tx, ACTOR, changeOf("end", ended), now);
      return ended;
    });
    await this.#dropLease();
    if (done === null) return;
    log.info(
      { from: done.from.map(({ keyId }) => keyId) },
      "the rotation of the master key is done: the earlier keys may be taken away",
    );
    await this.#tidy(done);
  }

  /** Takes the earlier keys out of the data directory, where they are the service's own affair. */
  async #tidy({ from, to }: Rotation): Promise<void> {
    const { places, log } = this.#parts;
    const [first, ...others] = this.#configured;
    if (!ownsKeyFile(places) || first === undefined || others.length === 0 || keyIdOf(first) !== to) return;
    if (!others.every((key) => from.some(({ keyId }) => keyId === keyIdOf(key)))) return;
    await writeMasterKeys(places.dataDir, [first]);
    log.info("the earlier master keys have been taken out of master.key");
  }

  /** Seals everything anew; null when it was not this process's turn to the end. */
  async #renewAll(): Promise<Pass | null> {
    const { storage, secretBox } = this.#parts;
    const pass: Pass = { left: 0, unreadable: 0 };
    for (const renewable of renewables(secretBox, storage.dialect)) {
      for (let after: readonly string[] | null = null; ; ) {
        if (this.#isClosing || !(await this.#hasLease())) return null;
        const seen: Seen = await renewable.look(storage.lists, after);
        for (let from = 0; from < seen.behind.length; from += MOST_AT_ONCE) {
          const rows = seen.behind.slice(from, from + MOST_AT_ONCE);
          const { unreadable } = await storage.unhurried.write((tx) => renewable.renew(tx, rows));
          pass.unreadable += unreadable;
          pass.left += rows.length - unreadable;
        }
        if (seen.after === null) break;
        after = seen.after;
      }
    }
    return pass;
  }

  async #hasLease(): Promise<boolean> {
    const { storage, dueClock, isAlone } = this.#parts;
    if (isAlone) return true;
    const now = dueClock.now();
    if (Math.abs(now - this.#leaseTakenAt) < RENEW_LEASE_MS) return true;
    const isTaken = await storage.unhurried.write((tx) => takeLease(tx, this.#holder, now));
    this.#leaseTakenAt = isTaken ? now : Number.NEGATIVE_INFINITY;
    return isTaken;
  }

  async #dropLease(): Promise<void> {
    if (this.#leaseTakenAt === Number.NEGATIVE_INFINITY) return;
    const { storage, log } = this.#parts;
    await storage.unhurried
      .write((tx) => dropLease(tx, this.#holder))
      .catch((error: unknown) =>
        log.warn({ err: error }, "the lease of the master key's rotation could not be given up"),
      );
    this.#leaseTakenAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether all processes are as far; says once which ones are not. */
  async #doAll(db: Storage["db"], isSo: (holder: KeyHolder) => boolean, what: string): Promise<boolean> {
    if (this.#parts.isAlone) return true;
    const behind = (await listKeyHolders(db, this.#parts.dueClock.now())).filter((holder) => !isSo(holder));
    if (behind.length === 0) return true;
    this.#say("others", "info", `waiting for other processes ${what}: ${behind.map((one) => one.process).join(", ")}`);
    return false;
  }

  #say(subject: Subject, level: "info" | "error", words: string): void {
    if (this.#said.get(subject) === words) return;
    this.#said.set(subject, words);
    this.#parts.log[level](words);
  }
}

const ACTOR = { type: "SYSTEM", id: "master-key", address: "" } as const;

function changeOf(verb: "begin" | "end", { from, to }: Rotation) {
  return {
    action: `master-key.${verb}`,
    target: `master-key:${to}`,
    before: { keys: from.map(({ keyId }) => keyId) },
    after: { key: to },
  };
}

function isSame(some: readonly Buffer[], others: readonly Buffer[]): boolean {
  return some.length === others.length && some.every((key, index) => others[index]?.equals(key));
}
