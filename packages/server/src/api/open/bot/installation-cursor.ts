import { TARGET_TYPES } from "@portico/protocol";
import type { ListPlace } from "../../../domain/applications/installations/installation-list.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";

/** A place in the list of installations as callers carry it; they make nothing of it. */
export function writeCursor({ firstInstalledAt, targetType, targetId }: ListPlace): string {
  return Buffer.from(`${firstInstalledAt} ${targetType} ${targetId}`).toString("base64url");
}

/**
 * Reads what {@link writeCursor} wrote.
 *
 * @throws ApiError 400006 when it is something else.
 */
export function parseCursor(cursor: string): ListPlace {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, time = "", type, targetId = ""] = /^(\d{1,16}) ([A-Z]+) ([^\0]+)$/s.exec(text) ?? [];
  const targetType = TARGET_TYPES.find((known) => known === type);
  const firstInstalledAt = Number(time);
  const isPlace = targetType !== undefined && Number.isSafeInteger(firstInstalledAt);
  // One place has one spelling: what is no text, or has anything added to it, reads as another.
  if (!isPlace || writeCursor({ firstInstalledAt, targetType, targetId }) !== cursor) {
    const details = { field: "cursor", pointer: null, problem: "value", expected: "the nextCursor of a page" } as const;
    throw new Refusal("CURSOR_INVALID", { check: "schema", details });
  }
  return { firstInstalledAt, targetType, targetId };
}
