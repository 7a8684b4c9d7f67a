import { ApiError, fault } from "@portico/protocol";
import { normalOrigin } from "../../../domain/applications/origin-store.ts";
import { ConsoleError } from "./console-error.ts";

/**
 * Checks the rules for a profile that its schema does not contain.
 *
 * @throws ApiError 400 naming the field.
 */
export function checkProfile({ displayName, avatar }: { displayName?: string; avatar?: string }): void {
  if (displayName !== undefined) checkNotBlank(displayName, "displayName");
  if (avatar !== undefined && avatar !== "" && !isWebAddress(avatar)) {
    throw new ConsoleError("AVATAR_NOT_A_LINK");
  }
}

/**
 * Parses the origins that may embed a widget: normalized, deduplicated, in code point order.
 *
 * @throws ApiError 400 naming the invalid one.
 */
export function parseOrigins(given: readonly string[]): string[] {
  const origins = given.map((text, index) => {
    const origin = normalOrigin(text);
    if (origin !== null) return origin;
    throw new ConsoleError(fault("ORIGIN_INVALID", { index }));
  });
  return [...new Set(origins)].sort();
}

/** @throws ApiError 400 when the text is blank. */
export function checkNotBlank(text: string, member: string): void {
  if (text.trim() === "") throw new ApiError(fault("FIELD_MISSING", { field: member }));
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}
