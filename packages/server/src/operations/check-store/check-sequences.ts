import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import type { Findings } from "./findings.ts";

/** Keys looked at by one statement, which sees one state of the database. */
const AT_ONCE = 200;

interface Numbered {
  key: string;
  /** What the counter says. */
  last: number;
  messages: number;
  /** Messages and changes together. */
  numbers: number;
  highest: number;
}

/** The messages and changes of a conversation are numbered from 1 without gaps, up to its counter. */
export async function checkConversations(db: Db, findings: Findings): Promise<void> {
  await inSlices(
    (after) =>
      sql<Numbered>`
      select c.conversation_key as key, c.last_seq as last,
        (select count(*) from messages as m where m.conversation_key = c.conversation_key) as messages,
        (select count(*) from messages as m where m.conversation_key = c.conversation_key)
          + (select count(*) from conversation_changes as h where h.conversation_key = c.conversation_key) as numbers,
        coalesce((select max(seq) from (
          select max(msg_seq) as seq from messages as m where m.conversation_key = c.conversation_key
          union all
          select max(msg_seq) from conversation_changes as h where h.conversation_key = c.conversation_key
        ) as either), 0) as highest
      from conversations as c where c.conversation_key > ${after} and c.conversation_key not like 'visitor:%' order by c.conversation_key limit ${sql.lit(AT_ONCE)}
    `.execute(db),
    (conversation) => {
      findings.counts.conversations++;
      findings.counts.messages += conversation.messages;
      const problem = gapIn(conversation);
      if (problem !== null) findings.add("conversation", conversation.key, problem);
    },
  );
}

/** The same for a visitor's messages. */
export async function checkVisitors(db: Db, findings: Findings): Promise<void> {
  await inSlices(
    (after) =>
      sql<Numbered>`
      select v.visitor_id as key,
        coalesce((select last_seq from conversations where conversation_key = 'visitor:' || v.visitor_id), 0) as last,
        (select count(*) from customer_messages as m where m.visitor_id = v.visitor_id) as messages,
        (select count(*) from customer_messages as m where m.visitor_id = v.visitor_id) as numbers,
        coalesce((select max(seq) from customer_messages as m where m.visitor_id = v.visitor_id), 0) as highest
      from visitors as v where v.visitor_id > ${after} order by v.visitor_id limit ${sql.lit(AT_ONCE)}
    `.execute(db),
    (visitor) => {
      findings.counts.visitors++;
      findings.counts.messages += visitor.messages;
      const problem = gapIn(visitor);
      if (problem !== null) findings.add("visitor", visitor.key, problem);
    },
  );
}

function gapIn({ last, numbers, highest }: Numbered): string | null {
  if (numbers === last && highest === last) return null;
  return `${numbers} messages and changes, numbered up to ${highest}, where ${last} are due`;
}

async function inSlices(
  read: (after: string) => Promise<{ rows: Numbered[] }>,
  look: (row: Numbered) => void,
): Promise<void> {
  for (let after = ""; ; ) {
    const { rows } = await read(after);
    for (const { key, last, messages, numbers, highest } of rows) {
      // PostgreSQL's sums are numeric, which arrives as text.
      look({ key, last: Number(last), messages: Number(messages), numbers: Number(numbers), highest: Number(highest) });
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < AT_ONCE) return;
    after = end.key;
  }
}
