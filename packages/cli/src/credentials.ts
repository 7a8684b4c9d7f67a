import { unpromised } from "./console-exchange.ts";
import { numberOf, textOf } from "./json.ts";
import { inOneLine, isoTime, table } from "./terminal.ts";

const HEADINGS = ["credential", "status", "created", "good until", "last used"] as const;

/** What is shown of a credential. */
interface CredentialView {
  /** How its id ends. */
  ending: string;
  status: string;
  /** Epoch milliseconds, as all times here. */
  createdAt: number | undefined;
  /** When its grace ends; undefined while it is current. */
  expiresAt: number | undefined;
  lastUsedAt: number | undefined;
}

/** Credentials out of the answer of the call for them, newest first. */
export function credentialViews(value: unknown): CredentialView[] {
  if (!Array.isArray(value)) unpromised("credentials");
  return value.map((each) => ({
    ending: textOf(each, "credential") ?? unpromised("credentials"),
    status: textOf(each, "status") ?? "?",
    createdAt: numberOf(each, "createdAt"),
    expiresAt: numberOf(each, "expiresAt"),
    lastUsedAt: numberOf(each, "lastUsedAt"),
  }));
}

/** A table of them. */
export function credentialLines(value: unknown): string[] {
  const time = (ms: number | undefined) => (ms === undefined ? "-" : isoTime(ms));
  const rows = credentialViews(value).map(({ ending, status, createdAt, expiresAt, lastUsedAt }) =>
    [`…${ending}`, status, time(createdAt), time(expiresAt), time(lastUsedAt)].map(inOneLine),
  );
  return table([HEADINGS, ...rows]);
}

/** Says whether some of the credentials before have gone, and that what follows are those that remain. */
export function revokedLine(before: unknown, after: unknown): string {
  const identityOf = ({ ending, createdAt }: CredentialView) => `${ending} ${createdAt}`;
  const remaining = new Set(credentialViews(after).map(identityOf));
  const isRevoked = credentialViews(before).some((view) => !remaining.has(identityOf(view)));
  if (isRevoked) return "old credentials no longer work; what remains:";
  return "no old credential was in its grace: nothing to end; what there is:";
}
