import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { MemberTokens } from "../accounts/member-tokens.ts";
import type { PasswordHasher } from "../accounts/passwords.ts";
import { recordChange } from "../audit/audit-store.ts";
import type { ConversationFeeds } from "../conversations/live/conversation-feeds.ts";

/** What a directory's calls need. */
export interface ScimParts {
  config: Config;
  storage: Storage;
  clock: Clock;
  live: ConversationFeeds;
  memberTokens: MemberTokens;
  passwords: PasswordHasher;
}

/** A directory that manages a tenant's people, by one of the tenant's tokens. */
export interface Directory {
  tenantId: string;
  tokenId: string;
  /** IP address. */
  address: string;
}

/** Writes what a directory has changed to the audit log. */
export async function recordDirectoryChange(
  { clock }: ScimParts,
  tx: Db,
  { tenantId, tokenId, address }: Directory,
  change: { action: string; target: string; before: object | null; after: object | null },
): Promise<void> {
  const actor = { type: "SYSTEM", id: `scim:${tokenId}`, address } as const;
  await recordChange(tx, actor, { ...change, tenantId }, clock.now());
}
