import type { DirectoryMember } from "@portico/protocol";
import { columns, inOneLine } from "./terminal.ts";

/** The lines of one member. */
export function memberLines({ userId, username, name, phone, disabled }: DirectoryMember): string[] {
  const rows = [
    ["user", userId],
    ["username", username],
    ["name", name],
    ["phone", phone ?? "-"],
    ["state", disabled ? "disabled" : "enabled"],
  ] as const;
  return columns(rows).map(inOneLine);
}
