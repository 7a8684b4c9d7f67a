import type { CredentialList } from "@portico/protocol";
import { inOneLine, isoTime, table } from "./terminal.ts";

const HEADINGS = ["credential", "status", "created", "good until", "last used"] as const;

/** A table of an application's credentials. */
export function credentialLines(credentials: CredentialList): string[] {
  const time = (ms: number | null) => (ms === null ? "-" : isoTime(ms));
  const rows = credentials.map(({ credential, status, createdAt, expiresAt, lastUsedAt }) =>
    [`…${credential}`, status, time(createdAt), time(expiresAt), time(lastUsedAt)].map(inOneLine),
  );
  return table([HEADINGS, ...rows]);
}

/** Whether credentials have been removed. */
export function areRevoked(before: CredentialList, after: CredentialList): boolean {
  const identityOf = ({ credential, createdAt }: CredentialList[number]) => `${credential} ${createdAt}`;
  const remaining = new Set(after.map(identityOf));
  return before.some((credential) => !remaining.has(identityOf(credential)));
}

/** Says whether credentials have been removed, as a heading for those that remain. */
export function revokedLine(before: CredentialList, after: CredentialList): string {
  if (areRevoked(before, after)) return "old credentials no longer work; what remains:";
  return "no old credential was in its grace: nothing to end; what there is:";
}
