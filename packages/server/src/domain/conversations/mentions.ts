import { BOUNDS, fault, type Mention } from "@portico/protocol";
import { wrongField } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { findMentionable } from "../directory/user-names.ts";

/**
 * Reads `content.mentions` (docs/contract/messages.md#mentions): member accounts as strings, or as objects with a
 * `userId`. Empty values are ignored and duplicates removed.
 *
 * @throws ApiError 400006 for any other value.
 */
export function parseMentions(content: object): string[] {
  const mentions = "mentions" in content ? content.mentions : null;
  if (mentions === null || mentions === undefined) return [];
  if (!Array.isArray(mentions)) {
    throw wrongField("content.mentions", "MENTIONS_NOT_AN_ARRAY", { problem: "type", expected: "an array" });
  }
  const accounts = new Set(
    mentions.map((entry, index) => readAccount(entry, `content.mentions.${index}`)).filter((account) => account !== ""),
  );
  if (accounts.size > BOUNDS.mentions) {
    throw wrongField("content.mentions", fault("MENTIONS_TOO_MANY", { max: BOUNDS.mentions }), {
      problem: "length",
      expected: `of at most ${BOUNDS.mentions} accounts`,
    });
  }
  return [...accounts];
}

function readAccount(entry: unknown, field: string): string {
  const account = typeof entry === "object" && entry !== null && !Array.isArray(entry) ? userIdOf(entry) : entry;
  if (account === null || account === undefined) return "";
  if (typeof account !== "string") {
    const expected = "an account as text, or an object whose userId is one";
    throw wrongField(field, "MENTION_INVALID", { problem: "type", expected });
  }
  return account.trim() === "" ? "" : account;
}

function userIdOf(entry: object): unknown {
  return "userId" in entry ? entry.userId : undefined;
}

/**
 * Resolves `accounts` within the tenant: members by userId or username, bots by appId. An unknown account stays as
 * given.
 */
export async function resolveMentions(db: Db, tenantId: string, accounts: string[]): Promise<Mention[]> {
  if (accounts.length === 0) return [];
  const known = await findMentionable(db, tenantId, accounts);
  const resolved = accounts.map((account) => known.get(account) ?? { userId: account, name: account, isBot: false });
  return [...new Map(resolved.map((mention) => [mention.userId, mention])).values()];
}
