import type { Member } from "@portico/protocol";
import { sql } from "kysely";
import type { JointQuery } from "../../../platform/storage/joint.ts";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { NamedConversation } from "../conversation-access.ts";

/** A member and a conversation. */
export interface Reach {
  member: Member;
  named: NamedConversation;
}

interface Params extends Record<string, unknown> {
  id: string;
  userId: string;
  conversationKey: string;
}

const lastSeqOf = (conversationKey: unknown) =>
  sql<number>`coalesce((select last_seq from conversations where conversation_key = ${conversationKey}), 0)`;

const inGroup = prepared<Params>()((db, param) => ({
  compile: () =>
    sql<{ lastSeq: number }>`
      select ${lastSeqOf(param("conversationKey"))} as "lastSeq" from group_members
      where group_id = ${param("id")} and user_id = ${param("userId")}
    `.compile(db),
}));

const withBot = prepared<Params>()((db, param) => ({
  compile: () =>
    sql<{ lastSeq: number }>`
      select ${lastSeqOf(param("conversationKey"))} as "lastSeq" from installations
      where app_id = ${param("id")} and target_type = 'USER' and target_id = ${param("userId")}
    `.compile(db),
}));

/** Scalar subqueries, so that everything is looked up by its key, whatever the planner knows of the tables. */
const allOf = prepared<{ kinds: string[]; ids: string[]; userIds: string[]; conversationKeys: string[] }>()(
  (db, param) => ({
    compile: () =>
      sql<{ n: number; lastSeq: number }>`
        select cast(n as int) as n, ${lastSeqOf(sql.raw("key"))} as "lastSeq"
        from unnest(${param("kinds")}::text[], ${param("ids")}::text[], ${param("userIds")}::text[],
          ${param("conversationKeys")}::text[]) with ordinality as asked(kind, id, user_id, key, n)
        where case when kind = 'group'
          then (select true from group_members where group_id = asked.id and group_members.user_id = asked.user_id)
          else (select true from installations
            where app_id = asked.id and target_type = 'USER' and target_id = asked.user_id) end
      `.compile(db),
  }),
);

/** How far a conversation has come, for a member who may read it; null for everybody else. One look-up of both. */
export const conversationReach: JointQuery<Reach, number | null> = {
  async alone(db, { member: { userId }, named: { kind, id, conversationKey } }) {
    const query = kind === "group" ? inGroup : withBot;
    return (await query.first(db, { id, userId, conversationKey }))?.lastSeq ?? null;
  },
  async joint(db, all) {
    const rows = await allOf.rows(db, {
      kinds: all.map(({ named }) => named.kind),
      ids: all.map(({ named }) => named.id),
      userIds: all.map(({ member }) => member.userId),
      conversationKeys: all.map(({ named }) => named.conversationKey),
    });
    const found = new Map(rows.map(({ n, lastSeq }) => [n, lastSeq]));
    return all.map((_, index) => found.get(index + 1) ?? null);
  },
};
