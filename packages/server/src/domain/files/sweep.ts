import type { Logger } from "pino";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { ClockWitnesses } from "../../platform/clock/clock-witnesses.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { deleteDoomed, doomUnsent, listDoomed } from "./file-store.ts";
import type { TemporaryFiles } from "./temporary-files.ts";

/** The dependencies of the sweep. */
interface SweptFilesParts {
  storage: Storage;
  blobs: Blobs;
  clocks: ClockWitnesses;
  config: Config;
  temporaryFiles: TemporaryFiles;
  log: Logger;
}

/** The tolerated difference between the clocks of two processes: none may delete what another still accepts. */
const CLOCK_TOLERANCE_MS = 60_000;
const GIVEN_UP_AFTER_MS = 3_600_000;
/** Rows changed in one transaction. */
const DOOMED_AT_ONCE = 500;
/** Blobs that are removed concurrently. */
const BATCH = 50;

/**
 * Deletes files that were not sent before their fileKey expired. The row is deleted after the content, so after a crash
 * the next sweep still finds it. Content that cannot be deleted is retried by the next sweep.
 */
export async function sweepFiles({
  storage,
  blobs,
  clocks,
  config,
  temporaryFiles,
  log,
}: SweptFilesParts): Promise<void> {
  await temporaryFiles.sweep();
  const passed = clocks.passed(config.limits.fileKeyTtlMs);
  const old = {
    expiredBefore: passed - CLOCK_TOLERANCE_MS,
    storingBefore: passed - GIVEN_UP_AFTER_MS,
    limit: DOOMED_AT_ONCE,
  };
  while (await storage.unhurried.write((tx) => doomUnsent(tx, old)));
  let kept = 0;
  for (;;) {
    const doomed = await listDoomed(storage.db, kept, BATCH);
    if (doomed.length === 0) return;
    const removals = await Promise.allSettled(doomed.map(({ blobKey }) => blobs.delete(blobKey)));
    const gone = doomed.filter((_, index) => removals[index]?.status === "fulfilled");
    if (gone.length > 0) {
      const fileKeys = gone.map(({ fileKey }) => fileKey);
      await storage.unhurried.write((tx) => deleteDoomed(tx, fileKeys));
    }
    const failed = removals.filter((removal) => removal.status === "rejected");
    kept += failed.length;
    if (failed.length > 0) log.warn({ err: failed[0]?.reason, count: failed.length }, "files could not be removed");
    // The blob store itself has failed, so the remaining blobs are not tried.
    if (failed.length === BATCH) return;
  }
}
