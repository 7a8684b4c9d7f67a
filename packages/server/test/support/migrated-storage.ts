import { pino } from "pino";
import { loadConfig } from "../../src/platform/config/load-config.ts";
import { openStorage } from "../../src/platform/storage/open-storage.ts";
import type { Storage } from "../../src/platform/storage/storage.ts";
import { postgres } from "./engines.ts";

/** A migrated, empty database on PostgreSQL, and how it is closed and removed. */
export async function migratedStorage(): Promise<{ storage: Storage; dispose: () => Promise<void> }> {
  const instance = await postgres.create("migrated");
  const storage = await openStorage(loadConfig(instance.env), { log: pino({ level: "silent" }) });
  const dispose = async () => {
    await storage.close();
    await instance.dispose();
  };
  return { storage, dispose };
}
