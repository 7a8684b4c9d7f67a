import { ApiError } from "@portico/protocol";
import { type ExportOwner, openCursor, sealCursor } from "../../../domain/persons/export-cursor.ts";
import type { ExportPage } from "../../../domain/persons/export-pages.ts";
import type { SecretBox } from "../../../platform/crypto/secret-box.ts";
import type { RouteParts } from "../parts.ts";

/** To export somebody's data. */
export interface ExportParts extends RouteParts {
  secretBox: SecretBox;
}

/** A call for a page of an export. */
interface ExportCall<Kind extends string> {
  owner: ExportOwner;
  /** `nextCursor` of the page before; absent for the first. */
  cursor: string | undefined;
  /** Writes that the export was begun. */
  begin(): Promise<void>;
  /** The page at a place; at an empty one the first. */
  read(place: string): Promise<ExportPage<Kind>>;
}

/**
 * A page of an export. The first one is what was asked for, and in the audit log; the others are the rest of it, for whoever has
 * asked.
 *
 * @throws ApiError CURSOR_INVALID
 */
export async function exportCall<Kind extends string>(
  { secretBox, clock }: ExportParts,
  { owner, cursor, begin, read }: ExportCall<Kind>,
): Promise<{ items: ExportPage<Kind>["items"]; nextCursor: string | null }> {
  const now = clock.now();
  const isFirst = cursor === undefined;
  const progress = isFirst ? { place: "", begunAt: now } : openCursor(secretBox, owner, cursor, now);
  if (progress === null) throw new ApiError("CURSOR_INVALID");
  if (isFirst) await begin();
  const { items, next } = await read(progress.place);
  const nextCursor = next === null ? null : sealCursor(secretBox, owner, { ...progress, place: next });
  return { items, nextCursor };
}
