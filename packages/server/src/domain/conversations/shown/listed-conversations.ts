import { sql } from "kysely";
import type { JointQuery } from "../../../platform/storage/joint.ts";
import { prepared } from "../../../platform/storage/prepared.ts";

/** The most conversations of a member that are listed here. */
export const MOST_LISTED = 200;

/** A conversation in a member's list, with how far it has come and how far they have read it; 0 while nothing is in it. */
export interface ListedConversation {
  chatType: "group" | "user";
  /** Of the group, or of the bot. */
  id: string;
  name: string;
  key: string;
  lastSeq: number;
  readSeq: number;
}

/** Groups first, then bots, each by name: one more than may be listed. */
function listOf(userId: unknown) {
  const most = sql.lit(MOST_LISTED + 1);
  return sql`
    select place, id, name, conversation_key as key,
      coalesce((select last_seq from conversations where conversations.conversation_key = listed.conversation_key), 0)
        as "lastSeq",
      coalesce((select seq from member_reads
        where user_id = ${userId} and member_reads.conversation_key = listed.conversation_key), 0) as "readSeq"
    from (
      select * from (
        select 1 as place, groups.group_id as id, groups.name, 'group:' || groups.group_id as conversation_key
        from group_members join groups on groups.group_id = group_members.group_id
        where group_members.user_id = ${userId}
        order by groups.name, groups.group_id limit ${most}
      ) as of_groups
      union all
      select * from (
        select 2 as place, apps.app_id as id, apps.display_name as name,
          'direct:' || apps.app_id || ':' || ${userId} as conversation_key
        from installations join apps on apps.app_id = installations.app_id
        where target_type = 'USER' and target_id = ${userId}
        order by apps.display_name, apps.app_id limit ${most}
      ) as of_bots
    ) as listed
    order by place, name, id limit ${most}`;
}

interface Row {
  place: number;
  id: string;
  name: string;
  key: string;
  lastSeq: number;
  readSeq: number;
}

const ofOne = prepared<{ userId: string }>()((db, param) => ({
  compile: () => sql<Row>`${listOf(sql`cast(${param("userId")} as text)`)}`.compile(db),
}));

const ofAll = prepared<{ userIds: string[] }>()((db, param) => ({
  compile: () =>
    sql<Row & { n: number }>`
      select cast(n as int) as n, one.*
      from unnest(${param("userIds")}::text[]) with ordinality as asked(user_id, n)
      cross join lateral (${listOf(sql.raw("asked.user_id"))}) as one
      order by n, place, name, id
    `.compile(db),
}));

/** A member's conversations, in the order of their list; of more than {@link MOST_LISTED}, one more than that. */
export const listedConversations: JointQuery<{ userId: string }, ListedConversation[]> = {
  async alone(db, { userId }) {
    return (await ofOne.rows(db, { userId })).map(toListed);
  },
  async joint(db, all) {
    const lists = all.map((): ListedConversation[] => []);
    for (const { n, ...row } of await ofAll.rows(db, { userIds: all.map(({ userId }) => userId) })) {
      lists[n - 1]?.push(toListed(row));
    }
    return lists;
  },
};

function toListed({ place, id, name, key, lastSeq, readSeq }: Row): ListedConversation {
  return { chatType: place === 1 ? "group" : "user", id, name, key, lastSeq, readSeq };
}
