import type { Context } from "../context.ts";
import { deleteDoomed, doomUnsent, listDoomed } from "./file-store.ts";

/** Processes' clocks may differ by this much without one sweeping what another still takes. */
const CLOCK_TOLERANCE_MS = 60_000;
const GIVEN_UP_AFTER_MS = 3_600_000;
const BATCH = 100;

/**
 * Removes files that were not sent while their fileKey was valid. The row outlives the content, so a crash in between
 * leaves nothing behind that the next sweep does not find.
 */
export async function sweepFiles({ storage, blobs, clock, temporaryFiles }: Context): Promise<void> {
  await temporaryFiles.sweep();
  const now = clock.now();
  await storage.write((tx) => doomUnsent(tx, now - CLOCK_TOLERANCE_MS, now - GIVEN_UP_AFTER_MS));
  for (;;) {
    const doomed = await listDoomed(storage.db, BATCH);
    if (doomed.length === 0) return;
    for (const { blobKey } of doomed) await blobs.delete(blobKey);
    await storage.write((tx) =>
      deleteDoomed(
        tx,
        doomed.map(({ fileKey }) => fileKey),
      ),
    );
  }
}
