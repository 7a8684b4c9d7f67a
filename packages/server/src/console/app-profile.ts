import { ApiError } from "@portico/protocol";

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

/** @throws ApiError 400 when there is nothing to read in the text. */
export function checkNotBlank(text: string, member: string): void {
  if (text.trim() === "") throw new ApiError("INVALID_REQUEST", `${member}不能为空`);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}
