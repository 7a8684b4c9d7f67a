import { ApiError, fault } from "@portico/protocol";
import { normalOrigin } from "../../../domain/applications/origin-store.ts";
import { ConsoleError } from "./console-error.ts";

/**
 * Judges what an owner says of an application beyond its shape.
 *
 * @throws ApiError 400 naming the member.
 */
export function checkProfile({ displayName, avatar }: { displayName?: string; avatar?: string }): void {
  if (displayName !== undefined) checkNotBlank(displayName, "displayName");
  if (avatar !== undefined && avatar !== "" && !isWebAddress(avatar)) {
    throw new ConsoleError("AVATAR_NOT_A_LINK");
  }
}

/**
 * Reads the sites that a widget may be put on: each as browsers write it, none twice, in the order of their characters.
 *
 * @throws ApiError 400 naming the one that is no origin.
 */
export function parseOrigins(given: readonly string[]): string[] {
  const origins = given.map((text, index) => {
    const origin = normalOrigin(text);
    if (origin !== null) return origin;
    throw new ConsoleError(fault("ORIGIN_INVALID", { index }));
  });
  return [...new Set(origins)].sort();
}

/** @throws ApiError 400 when there is nothing to read in the text. */
export function checkNotBlank(text: string, member: string): void {
  if (text.trim() === "") throw new ApiError(fault("FIELD_MISSING", { field: member }));
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}
