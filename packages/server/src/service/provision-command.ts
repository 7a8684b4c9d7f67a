import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { PasswordHasher } from "../domain/accounts/passwords.ts";
import { ConversationFeeds } from "../domain/conversations/live/conversation-feeds.ts";
import { DeskHub } from "../domain/customer-service/desk-hub.ts";
import type { ProvisioningContext, ProvisioningOptions } from "../domain/provisioning/apply/run.ts";
import { applyProvisioning } from "../domain/provisioning/apply.ts";
import { readProvisioningFile } from "../domain/provisioning/read-file.ts";
import type { ProvisionReport } from "../domain/provisioning/report.ts";
import { DueClock } from "../domain/webhooks/due-clock.ts";
import { DUE } from "../domain/webhooks/webhooks.ts";
import { systemClock } from "../platform/clock/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { ConfigError } from "../platform/config/config-error.ts";
import { loadConfig } from "../platform/config/load-config.ts";
import type { Coordination } from "../platform/coordination/coordination.ts";
import { openCoordination } from "../platform/coordination/open-coordination.ts";
import { loadMasterKeys, openSecretBox } from "../platform/crypto/master-key.ts";
import { KEY_FILE, readMasterKeys } from "../platform/crypto/master-key-file.ts";
import { openDataDir } from "../platform/disk/private-files.ts";
import { openStorage } from "../platform/storage/open-storage.ts";
import { schemaState } from "../platform/storage/schema-state.ts";
import { lockDataDir } from "../platform/storage/sqlite/instance-lock.ts";
import type { Storage } from "../platform/storage/storage.ts";

/**
 * Applies a provisioning file, either its changes or all of it, to the database that `env` configures. An embedded
 * service must not be running; the processes of a distributed one are notified.
 *
 * @throws ConfigError, ProvisioningError with a message for the operator.
 */
export async function provisionFromFile(
  file: string,
  env: NodeJS.ProcessEnv,
  options: ProvisioningOptions = {},
): Promise<ProvisionReport> {
  const configured = loadConfig(env);
  if (!options.dryRun && (await schemaState(configured)) === "other") {
    // Older processes that run on it would have to end.
    throw new ConfigError(
      "the database has the schema of another version of Portico: run that version's command, or `portico migrate` first",
    );
  }
  const provisioning = readProvisioningFile(file);
  await using opened = new AsyncDisposableStack();
  const config = options.dryRun ? await untouched(configured, opened) : configured;
  const log = pino({ level: "warn" }, pino.destination(2));
  if (!options.dryRun) await openDataDir(config.dataDir, log);
  if (config.distributed === null) opened.adopt(lockDataDir(config.dataDir), (lock) => lock.release());
  const storage = opened.adopt(await openStorage(config, { log }), (open) => open.close());
  return await applyProvisioning(await createContext(config, storage, log, opened), provisioning, options);
}

/**
 * A configuration that leaves the configured data unchanged. When there is no database yet, an empty temporary one
 * replaces it.
 *
 * @throws ConfigError when a check without writing is impossible.
 */
async function untouched(config: Config, opened: AsyncDisposableStack): Promise<Config> {
  const state = await schemaState(config);
  if (state === "other") {
    throw new ConfigError(
      "the database has the schema of another version of Portico: run that version's command, or `portico migrate` first",
    );
  }
  if (state === "current") {
    if (readMasterKeys(config).length === 0) {
      throw new ConfigError(`the database's master key is missing: restore ${KEY_FILE} from a backup`);
    }
    return config;
  }
  const dataDir = opened.adopt(mkdtempSync(join(tmpdir(), "portico-dry-run-")), (path) =>
    rmSync(path, { recursive: true }),
  );
  return { ...config, dataDir, distributed: null, masterKeys: [randomBytes(32)], masterKeyFile: null };
}

async function createContext(
  config: Config,
  storage: Storage,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<ProvisioningContext> {
  const secretBox = await openSecretBox(await loadMasterKeys(config, storage), storage);
  const coordination = opened.adopt(await tellOthers(config, storage, log), (open) => open.close());
  const dueClock = await DueClock.open({ clock: systemClock, databaseNow: storage.now });
  return {
    config,
    storage,
    secretBox,
    clock: systemClock,
    passwords: opened.adopt(new PasswordHasher(), (open) => open.close()),
    live: opened.adopt(new ConversationFeeds(storage, coordination, log), (open) => open.close()),
    deskLive: new DeskHub(coordination),
    webhooks: { due: (appId) => coordination.publish(DUE, appId), dueNow: () => dueClock.now() },
    apps: { forget: () => {} },
  };
}

/**
 * Notifies running processes. Without Redis the file is applied as well: they then see the changes when their caches
 * expire.
 */
async function tellOthers(config: Config, storage: Storage, log: Logger): Promise<Coordination> {
  try {
    return await openCoordination(config, storage, systemClock, log);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.warn(`${error.message}; streams of people who are signed out by this may live on for 30 s`);
    return await openCoordination({ ...config, distributed: null }, storage, systemClock, log);
  }
}
