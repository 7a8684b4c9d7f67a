import { createSecretKey, type KeyObject } from "node:crypto";
import type { AppState, AppType, Rehearsal, Scope } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { QuotaLimits } from "../../platform/coordination/coordination.ts";
import { HmacKey } from "../../platform/crypto/hmac-key.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import { growingLru } from "../../platform/limits/growing-lru.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type AppRecord, findApp } from "./app-store.ts";

/** An application as the gate needs it, with decrypted keys for checking signatures. */
export interface App {
  appId: string;
  type: AppType;
  tenantId: string;
  status: AppState;
  displayName: string;
  avatar: string;
  scopes: ReadonlySet<Scope>;
  limits: QuotaLimits;
  credentials: ReadonlyMap<string, Credential>;
  /** The fault that its owner rehearses; it may have ended. Null in production. */
  rehearsal: Rehearsal | null;
}

/** A credential, its secret as an HMAC key. */
export interface Credential {
  credentialId: string;
  key: KeyObject;
  /** The same, to verify signatures with. */
  hmac: HmacKey;
  /** When it was rotated, in epoch milliseconds; null while it is the current one. */
  rotatedAt: number | null;
}

const MAX_CACHED = 10_000;
/** Must stay below one second: changes take effect in every process within a second. */
const FRESH_MS = 800;

interface Entry {
  /** A promise while the application is being loaded. */
  app: App | null | Promise<App | null>;
  loadedAt: number;
}

/** Finds applications by id, with a cache of less than a second. Unknown ids are cached too. The cache is bounded. */
export class AppDirectory {
  readonly #db: Db;
  readonly #secretBox: SecretBox;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #defaults: QuotaLimits;
  readonly #rehearses: boolean;
  readonly #cache = growingLru<Entry>(MAX_CACHED);

  /** @param onChange called when this process has changed an application. */
  constructor(db: Db, secretBox: SecretBox, clock: Clock, config: Config, onChange: () => void) {
    this.#db = db;
    this.#secretBox = secretBox;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#defaults = config.limits;
    this.#rehearses = config.environment === "test";
  }

  /** The application, at most {@link FRESH_MS} old, or null. */
  find(appId: string): App | null | Promise<App | null> {
    const cached = this.#cache.get(appId);
    const now = this.#clock.now();
    if (cached !== undefined && Math.abs(now - cached.loadedAt) < FRESH_MS) return cached.app;
    const loading = findApp(this.#db, appId).then((record) => record && this.#open(record));
    const entry: Entry = { app: loading, loadedAt: now };
    this.#cache.set(appId, entry);
    loading.then(
      (app) => {
        entry.app = app;
      },
      // A failed load fails only this call; the next call loads again.
      () => this.#cache.delete(appId),
    );
    return loading;
  }

  /** Removes `appId` from the cache, after this process has changed the application. */
  forget(appId: string): void {
    this.#cache.delete(appId);
    this.#onChange();
  }

  #open(record: AppRecord): App {
    const { quota } = record;
    const credentials = record.credentials.map(({ credentialId, secretBox, rotatedAt }): [string, Credential] => {
      const secret = this.#secretBox.open(secretBox, credentialId);
      const key = createSecretKey(secret, "utf8");
      return [credentialId, { credentialId, key, hmac: new HmacKey(key), rotatedAt }];
    });
    return {
      appId: record.appId,
      type: record.type,
      tenantId: record.tenantId,
      status: record.status,
      displayName: record.displayName,
      avatar: record.avatar,
      scopes: new Set(record.grantedScopes),
      limits: {
        perMinute: quota.perMinute ?? this.#defaults.perMinute,
        perDay: quota.perDay ?? this.#defaults.perDay,
        concurrent: quota.concurrent ?? this.#defaults.concurrent,
      },
      credentials: new Map(credentials),
      rehearsal: this.#rehearses ? record.rehearsal : null,
    };
  }
}
