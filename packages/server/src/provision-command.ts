import { pino } from "pino";
import { systemClock } from "./clock.ts";
import { loadConfig } from "./config/config.ts";
import { openDataDir } from "./disk/private-files.ts";
import { loadMasterKey, openSecretBox } from "./master-key.ts";
import { applyProvisioning, type ProvisionSummary } from "./provisioning/apply.ts";
import { readProvisioningFile } from "./provisioning/read-file.ts";
import { PasswordHasher } from "./sign-in/passwords.ts";
import { lockDataDir } from "./storage/instance-lock.ts";
import { openStorage } from "./storage/open-storage.ts";

/**
 * Applies a provisioning file to the database that `env` configures. Embedded, the service must not be running on it.
 *
 * @throws ConfigError, ProvisioningError in words for the operator.
 */
export async function provisionFromFile(file: string, env: NodeJS.ProcessEnv): Promise<ProvisionSummary> {
  const config = loadConfig(env);
  const provisioning = readProvisioningFile(file);
  await using opened = new AsyncDisposableStack();
  const log = pino({ level: "warn" }, pino.destination(2));
  openDataDir(config.dataDir, log);
  if (config.distributed === null) opened.adopt(lockDataDir(config.dataDir), (lock) => lock.release());
  const storage = opened.adopt(await openStorage(config, { log }), (open) => open.close());
  const secretBox = await openSecretBox(loadMasterKey(config), storage);
  const passwords = opened.adopt(new PasswordHasher(), (open) => open.close());
  const ctx = { storage, secretBox, passwords, clock: systemClock };
  return await applyProvisioning(ctx, provisioning);
}
