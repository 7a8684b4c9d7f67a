import type { Mention } from "@portico/protocol";
import { nameFit } from "@portico/protocol/names";
import type { Db } from "../../platform/storage/schema.ts";
import { toSmallLetters } from "../../platform/storage/search/small-letters.ts";

/** Limits what a very large group costs; of such a group only these are offered. */
const MAX_MEMBERS = 5_000;
const MAX_BOTS = 500;

/** Who is in a conversation. */
interface Participants {
  kind: "group" | "bot";
  /** groupId or appId. */
  id: string;
  /** The member who asks: the only one in a conversation with a bot. */
  userId: string;
}

/**
 * The members and bots of a conversation whose name, a word of it, or user name begins with `prefix`, in whatever
 * capitals, and which fit `keyword` ({@link nameFit}); those that fit best first, then by name, at most `limit`. To be read
 * through `storage.lists`.
 */
export async function findParticipants(
  db: Db,
  participants: Participants,
  { prefix, keyword, limit }: { prefix: string; keyword: string; limit: number },
): Promise<Mention[]> {
  const wanted = toSmallLetters(prefix.trim());
  const begins = (text: string) => toSmallLetters(text).startsWith(wanted);
  const isWanted = ({ name, username }: Candidate) => [name, username, ...name.split(/\s+/)].some(begins);
  const [members, bots] = [await membersOf(db, participants), await botsOf(db, participants)];
  const found = [...members, ...bots].filter(isWanted).flatMap((candidate) => {
    const fit = nameFit(candidate, keyword);
    return fit === null ? [] : [{ ...candidate, fit }];
  });
  found.sort((a, b) => a.fit - b.fit || compare(a.name, b.name) || compare(a.userId, b.userId));
  return found.slice(0, limit).map(({ userId, name, isBot }) => ({ userId, name, isBot }));
}

interface Candidate extends Mention {
  username: string;
}

async function membersOf(db: Db, { kind, id, userId }: Participants): Promise<Candidate[]> {
  const select = db
    .selectFrom("members")
    .select(["members.user_id as userId", "username", "name"])
    .where("disabled", "=", 0);
  const rows =
    kind === "bot"
      ? await select.where("members.user_id", "=", userId).execute()
      : await select
          .innerJoin("group_members", "group_members.user_id", "members.user_id")
          .where("group_id", "=", id)
          .orderBy("group_members.user_id")
          .limit(MAX_MEMBERS)
          .execute();
  return rows.map((row) => ({ ...row, isBot: false }));
}

async function botsOf(db: Db, { kind, id, userId }: Participants): Promise<Candidate[]> {
  let select = db
    .selectFrom("installations")
    .innerJoin("apps", "apps.app_id", "installations.app_id")
    .select(["apps.app_id as userId", "display_name as name"])
    .where("target_type", "=", kind === "group" ? "GROUP" : "USER")
    .where("target_id", "=", kind === "group" ? id : userId)
    .where("installations.status", "=", "ACTIVE");
  if (kind === "bot") select = select.where("installations.app_id", "=", id);
  const rows = await select.orderBy("installations.app_id").limit(MAX_BOTS).execute();
  return rows.map((row) => ({ ...row, username: row.userId, isBot: true }));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
