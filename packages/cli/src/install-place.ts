import { UsageError } from "./command.ts";

/** Where a bot is to be installed or uninstalled, as the command line names it. */
export type InstallPlace = { username: string } | { targetType: "GROUP" | "USER"; targetId: string };

/** Parses `ACCOUNT`, `group:ID` or `user:ID`. */
export function installPlaceOf(text: string): InstallPlace {
  const [, kind, targetId] = /^(group|user):(.*)$/s.exec(text) ?? [];
  if (kind === undefined || targetId === undefined) return { username: text };
  if (targetId === "") throw new UsageError("WHERE must be a username, group:ID or user:ID");
  return { targetType: kind === "group" ? "GROUP" : "USER", targetId };
}
