import { join } from "node:path";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { openDiskBlobs } from "../platform/blobs/disk.ts";
import { openS3Blobs } from "../platform/blobs/s3.ts";
import type { Config } from "../platform/config/config.ts";
import { ConfigError } from "../platform/config/config-error.ts";

/** @throws ConfigError when the store of files cannot be used. */
export async function openBlobs({ blobs, dataDir }: Config): Promise<Blobs> {
  if (blobs.kind === "disk") return openDiskBlobs(join(dataDir, "blobs"));
  const store = await openS3Blobs(blobs);
  try {
    await store.ping();
    return store;
  } catch (error) {
    await store.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `the bucket ${blobs.bucket} cannot be used (${why}): see PORTICO_BLOBS_* in docs/configuration.md`,
    );
  }
}
