import type { AuditEntry } from "@portico/protocol";
import type { ConsoleClient } from "./console.ts";

/** The newest entry of the audit log, as an operator reads it. */
export async function lastEntry(client: ConsoleClient): Promise<AuditEntry> {
  const { items } = await client.ok("GET", "operator/audit?limit=1");
  return items[0];
}

/** The developerId of the only developer found by `keyword`. */
export async function developerIdOf(client: ConsoleClient, keyword: string): Promise<string> {
  const { items } = await client.ok("GET", `operator/developers?keyword=${encodeURIComponent(keyword)}`);
  if (items.length !== 1) throw new Error(`${keyword} finds ${items.length} developers`);
  return items[0].developerId;
}
