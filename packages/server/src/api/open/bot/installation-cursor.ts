import { TARGET_TYPES } from "@portico/protocol";
import type { ListPlace } from "../../../domain/applications/installations/installation-list.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";

/** Encodes a position in the list of installations as an opaque cursor. */
export function writeCursor({ firstInstalledAt, targetType, targetId }: ListPlace): string {
  return Buffer.from(`${firstInstalledAt} ${targetType} ${targetId}`).toString("base64url");
}

/**
 * Parses the output of {@link writeCursor}.
 *
 * @throws ApiError 400006 when it is something else.
 */
export function parseCursor(cursor: string): ListPlace {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, time = "", type, targetId = ""] = /^(\d{1,16}) ([A-Z]+) ([^\0]+)$/s.exec(text) ?? [];
  const targetType = TARGET_TYPES.find((known) => known === type);
  const firstInstalledAt = Number(time);
  const isPlace = targetType !== undefined && Number.isSafeInteger(firstInstalledAt);
  // Each position has one spelling, so any other text is refused.
  if (!isPlace || writeCursor({ firstInstalledAt, targetType, targetId }) !== cursor) {
    const details = { field: "cursor", pointer: null, problem: "value", expected: "the nextCursor of a page" } as const;
    throw new Refusal("CURSOR_INVALID", { check: "schema", details });
  }
  return { firstInstalledAt, targetType, targetId };
}
