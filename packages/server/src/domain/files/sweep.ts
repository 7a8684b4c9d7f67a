import type { Logger } from "pino";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { ClockWitnesses } from "../../platform/clock/clock-witnesses.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { deleteDoomed, doomUnsent, listDoomed } from "./file-store.ts";
import type { TemporaryFiles } from "./temporary-files.ts";

/** What the sweep of files needs. */
interface SweptFilesParts {
  storage: Storage;
  blobs: Blobs;
  clocks: ClockWitnesses;
  config: Config;
  temporaryFiles: TemporaryFiles;
  log: Logger;
}

/** Processes' clocks may differ by this much without one sweeping what another still takes. */
const CLOCK_TOLERANCE_MS = 60_000;
const GIVEN_UP_AFTER_MS = 3_600_000;
/** Rows changed in one transaction. */
const DOOMED_AT_ONCE = 500;
/** So many blobs are removed side by side. */
const BATCH = 50;

/**
 * Removes files that were not sent while their fileKey was valid. The row outlives the content, so a crash in between
 * leaves nothing behind that the next sweep does not find. Content that cannot be removed is left to the next one.
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
    // The store itself is at fault: it is not asked for all the others in vain.
    if (failed.length === BATCH) return;
  }
}
