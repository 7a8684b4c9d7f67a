import type { OwnSession } from "@portico/protocol";

/** A login as its row says it; logins of earlier versions know neither where they were used nor when. */
interface LoginRow {
  sessionId: string;
  address: string | null;
  userAgent: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number;
}

/** Logins as their owner is shown them, most recently used first. */
export function listedLogins(rows: readonly LoginRow[]): Omit<OwnSession, "current">[] {
  return rows
    .map(({ address, userAgent, lastUsedAt, ...login }) => ({
      ...login,
      address: address ?? "",
      userAgent: userAgent ?? "",
      lastUsedAt: lastUsedAt ?? login.createdAt,
    }))
    .sort((a, b) => b.lastUsedAt - a.lastUsedAt || b.createdAt - a.createdAt);
}
