import { randomBytes } from "node:crypto";

/** A new unique id: the prefix and 24 hexadecimal digits. */
export function newId(prefix: "t" | "u" | "g" | "dev" | "v"): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}
