import * as Type from "typebox";
import { Value } from "typebox/value";
import type { Db } from "../../platform/storage/schema.ts";
import { listReports } from "./process-store.ts";

/** A process that has told nothing for so long is left out of the list, and forgotten. */
export const SILENT_AFTER_MS = 10 * 60_000;

const KnownKeysSchema = Type.Object({ first: Type.String(), sealing: Type.String() });

/** What a process tells of its master keys, by their ids: the first that it is configured with, and the one that it seals with. */
export type KnownKeys = Type.Static<typeof KnownKeysSchema>;

/** A process that is running, as far as is known, and its keys; null for one of a version that did not tell of them. */
export interface KeyHolder {
  process: string;
  keys: KnownKeys | null;
}

/** All processes that have told of themselves lately. */
export async function listKeyHolders(db: Db, now: number): Promise<KeyHolder[]> {
  const rows = await listReports(db, now - SILENT_AFTER_MS);
  return rows.map(({ host, pid, report }) => {
    const { masterKey }: { masterKey?: unknown } = JSON.parse(report);
    return { process: `${host}:${pid}`, keys: Value.Check(KnownKeysSchema, masterKey) ? masterKey : null };
  });
}
