import { ApiError } from "@portico/protocol";
import { normalOrigin } from "../applications/origin-store.ts";

/**
 * Judges what an owner says of an application beyond its shape.
 *
 * @throws ApiError 400 naming the member.
 */
export function checkProfile({ displayName, avatar }: { displayName?: string; avatar?: string }): void {
  if (displayName !== undefined) checkNotBlank(displayName, "displayName");
  if (avatar !== undefined && avatar !== "" && !isWebAddress(avatar)) {
    throw new ApiError("INVALID_REQUEST", "avatar必须为空或HTTP/HTTPS地址");
  }
}

/**
 * Reads the sites that a widget may be put on: each as browsers write it, none twice, in the order of their characters.
 *
 * @throws ApiError 400 naming the one that is no origin.
 */
export function readOrigins(given: readonly string[]): string[] {
  const origins = given.map((text, index) => {
    const origin = normalOrigin(text);
    if (origin !== null) return origin;
    throw new ApiError("INVALID_REQUEST", `allowedOrigins.${index}必须为网站的来源,如https://example.com`);
  });
  return [...new Set(origins)].sort();
}

/** @throws ApiError 400 when there is nothing to read in the text. */
export function checkNotBlank(text: string, member: string): void {
  if (text.trim() === "") throw new ApiError("INVALID_REQUEST", `${member}不能为空`);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}
