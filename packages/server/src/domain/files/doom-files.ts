import type { Db } from "../../platform/storage/schema.ts";
import { unitsOf } from "../../platform/storage/units-of.ts";
import type { FileOwner } from "./file-store.ts";

/** The keys under which contents name files: their addresses have them. */
export function blobKeysIn(contents: readonly string[]): string[] {
  return [...new Set(contents.flatMap((content) => content.match(/[0-9a-f]{48}/g) ?? []))];
}

/** Has those of the files that belong to the owner removed by the next sweep, sent or not. Returns their number. */
export async function doomFiles(tx: Db, { type, id }: FileOwner, blobKeys: readonly string[]): Promise<number> {
  let doomed = 0;
  // Whoever writes many hashes into a text names as many files that do not exist.
  for (const some of unitsOf(blobKeys)) {
    const { numUpdatedRows } = await tx
      .updateTable("files")
      .set({ state: "DOOMED", sent_at: null })
      .where("blob_key", "in", some)
      .where("owner_type", "=", type)
      .where("owner_id", "=", id)
      .where("state", "<>", "DOOMED")
      .executeTakeFirstOrThrow();
    doomed += Number(numUpdatedRows);
  }
  return doomed;
}

/** Has all files of the owner that were never sent removed by the next sweep. Returns their number. */
export async function doomUnsentFiles(tx: Db, { type, id }: FileOwner): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("files")
    .set({ state: "DOOMED" })
    .where("owner_type", "=", type)
    .where("owner_id", "=", id)
    .where("sent_at", "is", null)
    .where("state", "=", "READY")
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
