import type pg from "pg";

/** A store of a size that is promised, by the number of its messages: `PORTICO_TEST_ROWS=10000000`. */
export interface StoreSize {
  messages: number;
  /** A tenth of the messages. */
  members: number;
  /** A thousandth of them. */
  apps: number;
}

/** @param messages at least 10,000. */
export function storeOf(messages: number): StoreSize {
  return { messages, members: messages / 10, apps: messages / 1_000 };
}

/** When everything is said to have happened: the row `i` of a table `i` milliseconds later. */
const BEGAN_AT = 1_790_000_000_000;
/** A group with a tenth of all messages, and a member of a hundred groups, this one among them. */
const BIG_GROUP = "g_big";
const BUSY_MEMBER = "u_0";

/** How a table is filled: its rows, and the values of the row `i`; what is left out has its default. */
interface Filling {
  rows: number;
  values: Record<string, string>;
}

/** One in ten belongs to one application, the others to all in turn. */
const ofApps = (apps: number) => `'app_' || case when i % 10 = 0 then 0 else i % ${apps} end`;

function fillings({ messages, members, apps }: StoreSize): Record<string, Filling> {
  const tenants = Math.max(10, messages / 10_000);
  const groups = messages / 200;
  const at = `${BEGAN_AT} + i`;
  const app = ofApps(apps);
  const isBig = "i % 10 = 0";
  return {
    tenants: { rows: tenants, values: { tenant_id: "'t_' || i", name: "'Tenant ' || i" } },
    members: {
      rows: members,
      values: {
        user_id: "'u_' || i",
        tenant_id: `'t_' || i % ${tenants}`,
        username: "'member' || i",
        name: "'Member ' || i",
        phone: "case when i % 2 = 0 then (13000000000 + i)::text end",
      },
    },
    groups: {
      rows: groups,
      values: {
        group_id: `case i when 0 then '${BIG_GROUP}' else 'g_' || i end`,
        tenant_id: `'t_' || i % ${tenants}`,
        name: "'Group ' || i",
      },
    },
    // Twenty in each, and the busy member in a hundred.
    group_members: {
      rows: groups * 20,
      values: {
        group_id: `case i / 20 when 0 then '${BIG_GROUP}' else 'g_' || i / 20 end`,
        user_id: `case when i % 20 = 0 and i < 2000 then '${BUSY_MEMBER}' else 'u_' || (i * 7 % ${members}) end`,
      },
    },
    developers: {
      rows: apps / 2,
      values: {
        developer_id: "'dev_' || i",
        phone: "(13000000000 + 2 * i)::text",
        channel_id: "1",
        name: "'Developer ' || i",
        operator: "case when i < 10 then 1 else 0 end",
      },
    },
    developer_tenants: { rows: apps / 2, values: { developer_id: "'dev_' || i", tenant_id: `'t_' || i % ${tenants}` } },
    apps: {
      rows: apps,
      values: {
        app_id: "'app_' || i",
        type: "case i % 3 when 0 then 'BOT' when 1 then 'CUSTOMER_SERVICE' else 'MINI_PROGRAM' end",
        tenant_id: `'t_' || i % ${tenants}`,
        owner_id: `'dev_' || i % ${apps / 2}`,
        status: "case when i % 50 = 1 then 'IN_REVIEW' else 'ACTIVE' end",
        display_name: "'App ' || i",
        avatar: "''",
        created_at: at,
      },
    },
    credentials: {
      rows: apps,
      values: { credential_id: "'cred_' || i", app_id: "'app_' || i", secret_box: "'x'", created_at: at },
    },
    app_scopes: {
      rows: apps * 3,
      values: {
        app_id: "'app_' || i / 3",
        scope: "'scope ' || i % 3",
        state: "case when i % 90 = 0 then 'REQUESTED' else 'GRANTED' end",
      },
    },
    app_agents: { rows: apps * 5, values: { app_id: "'app_' || i / 5", user_id: `'u_' || (i * 13 % ${members})` } },
    desk_agents: {
      rows: apps,
      values: {
        app_id: "'app_' || i / 5",
        user_id: `'u_' || (i * 13 % ${members})`,
        status: "'ONLINE'",
        heartbeat_at: at,
        present: "case when i % 10 = 0 then 1 else 0 end",
      },
    },
    installations: {
      rows: apps * 20,
      values: {
        app_id: app,
        target_type: "case when i % 2 = 0 then 'GROUP' else 'USER' end",
        target_id: `case when i % 2 = 0 then 'g_' || (i % ${groups}) else 'u_' || (i % ${members}) end || case when i % 10 = 0 then '' else '' end`,
        status: "case when i % 20 = 3 then 'REMOVED' else 'INSTALLED' end",
        installed_at: at,
        first_installed_at: at,
      },
    },
    conversations: {
      rows: groups + members,
      values: {
        conversation_key: `case when i = 0 then 'group:${BIG_GROUP}' when i < ${groups} then 'group:g_' || i else 'direct:app_0:u_' || (i - ${groups}) end`,
        last_seq: `case when i = 0 then ${messages / 10} else 200 end`,
      },
    },
    messages: {
      rows: messages,
      values: {
        conversation_key: `case when ${isBig} then 'group:${BIG_GROUP}' else 'group:g_' || (1 + i % ${groups - 1}) end`,
        msg_seq: `case when ${isBig} then i / 10 + 1 else i / ${groups - 1} + 1 end`,
        sender_type: "case when i % 3 = 0 then 'BOT' else 'MEMBER' end",
        sender_id: `case when i % 3 = 0 then 'app_' || i % ${apps} else 'u_' || i % ${members} end`,
        client_message_id: "case when i % 2 = 0 then 'client ' || i end",
        msg_type: "'text'",
        content: `'{"text":"what was said in message ' || i || '"}'`,
        mentions: "'[]'",
        created_at: at,
      },
    },
    conversation_changes: {
      rows: messages / 20,
      values: {
        conversation_key: `'group:g_' || (1 + i % ${groups - 1})`,
        msg_seq: "1000000 + i",
        type: "'message.updated'",
        message_id: "i + 1",
      },
    },
    message_recipients: { rows: messages / 5, values: { message_id: "i + 1", app_id: app } },
    member_reads: {
      rows: members,
      values: { user_id: "'u_' || i", conversation_key: `'group:g_' || (1 + i % ${groups - 1})`, seq: "100" },
    },
    card_actions: {
      rows: messages / 20,
      values: {
        action_id: "'action ' || i",
        message_id: "i + 1",
        card_version: "1",
        user_id: `'u_' || i % ${members}`,
        action: "'{}'",
        created_at: at,
      },
    },
    files: {
      rows: messages / 20,
      values: {
        file_key: "'file_' || i",
        blob_key: "'blob ' || i",
        owner_type: "case i % 3 when 0 then 'APP' when 1 then 'MEMBER' else 'VISITOR' end",
        owner_id: `case i % 3 when 0 then 'app_' || i % ${apps} when 1 then 'u_' || i % ${members} else 'v_' || i % ${members} end`,
        state: "case when i % 1000 = 0 then 'DOOMED' else 'READY' end",
        file_name: "'a file.png'",
        mime_type: "'image/png'",
        size: "1000",
        sha256: "'x'",
        created_at: at,
        expires_at: at,
        sent_at: `case when i % 10 > 0 then ${at} end`,
      },
    },
    requests: {
      rows: messages / 5,
      values: {
        req_no: "'r' || lpad(i::text, 12, '0')",
        app_id: app,
        at,
        method: "'POST'",
        path: "'/api/open/v2/bot/messages'",
        status: "case when i % 20 = 7 then 429 else 200 end",
        code: "case when i % 20 = 7 then '429001' else '000000' end",
        duration_ms: "3",
      },
    },
    deliveries: {
      rows: messages / 5,
      values: {
        event_id: "'evt_' || i",
        app_id: app,
        event_type: "'im.message.receive_v1'",
        body: "'{}'",
        status: "case i % 100 when 0 then 'RETRYING' when 1 then 'EXHAUSTED' when 2 then 'FAILED' else 'DELIVERED' end",
        created_at: at,
        due_at: `case when i % 100 = 0 then ${at} end`,
        claim: "1",
        claimed: "0",
        attempt_count: "1",
        retry_count: "0",
      },
    },
    delivery_attempts: {
      rows: messages / 5,
      values: { delivery_id: "i + 1", attempt: "1", at, duration_ms: "20", phases: "'{}'", answer: "'ok'" },
    },
    visitors: {
      rows: members,
      values: {
        visitor_id: "'v_' || i",
        app_id: app,
        third_user_id: "'third ' || i",
        nickname: "'Visitor ' || i",
        status: "1",
        created_at: at,
        last_seen_at: at,
        heartbeat_at: at,
      },
    },
    customer_sessions: {
      rows: members,
      values: {
        app_id: app,
        visitor_id: "'v_' || i",
        status: "case when i % 1000 = 0 then 'QUEUED' when i % 1000 < 10 then 'ACTIVE' else 'CLOSED' end",
        agent_user_id: `case when i % 1000 > 0 then 'u_' || (i * 13 % ${members}) end`,
        source: "'web'",
        subject: "''",
        queued_at: at,
        created_at: at,
        assigned_at: at,
        closed_at: `case when i % 1000 >= 10 then ${at} end`,
        version: "1",
      },
    },
    customer_messages: {
      rows: messages / 5,
      values: {
        app_id: app,
        visitor_id: `'v_' || i / 2`,
        session_id: "i / 2 + 1",
        seq: "1 + i % 2",
        sender_type: "'VISITOR'",
        msg_type: "'text'",
        content: '\'{"text":"hello"}\'',
        created_at: at,
      },
    },
    customer_texts: { rows: messages / 50, values: { message_id: "i + 1", app_id: app, said: "'hello from ' || i" } },
    audit_entries: {
      rows: messages / 10,
      values: {
        at,
        actor_type: "'DEVELOPER'",
        actor_id: `'dev_' || i % ${apps / 2}`,
        action: "'action ' || i % 30",
        target: app,
        address: "'127.0.0.1'",
      },
    },
    call_counts: { rows: messages / 10, values: { app_id: app, minute: "29000000 + i", calls: "10", errors: "1" } },
    call_errors: { rows: messages / 20, values: { app_id: app, minute: "29000000 + i", code: "'429001'", calls: "1" } },
    ...Object.fromEntries(
      [0, 1, 2, 3, 4, 5].map((part) => [
        `nonces_${part}`,
        { rows: messages / 50, values: { app_id: app, nonce: "'nonce ' || i", signed_at: at, expires_at: at } },
      ]),
    ),
  };
}

/** The rows of every other table. */
const OTHERS = 100;
/** What a migration, or the service itself, keeps. */
const NOT_FILLED = /^(kysely_|portico_|meta$|requests_|search_|spare_pages)/;
/** In one statement, so that each is far from a minute. */
const AT_A_TIME = 500_000;

/**
 * Fills every table of a migrated, empty database on PostgreSQL by `generate_series`, those that are not described with values
 * that differ from row to row. Foreign keys are not checked. Tells of each table that it has filled.
 */
export async function fillStore(client: pg.Client, size: StoreSize, tell: (line: string) => void): Promise<void> {
  await client.query("set session_replication_role = replica");
  const described = fillings(size);
  const { rows: tables } = await client.query<{ name: string; columns: { name: string; type: string }[] }>(
    `select table_name as name, json_agg(json_build_object('name', column_name, 'type', data_type)) as columns
     from information_schema.columns join pg_class on oid = table_name::regclass
     where table_schema = current_schema() and is_generated = 'NEVER' and not relispartition group by table_name order by table_name`,
  );
  for (const { name, columns } of tables) {
    if (NOT_FILLED.test(name)) continue;
    const { rows, values } = described[name] ?? { rows: size.messages / OTHERS, values: undefined };
    const all = values ?? Object.fromEntries(columns.map((column) => [column.name, anyValue(column)]));
    const beganAt = performance.now();
    for (let from = 0; from < rows; from += AT_A_TIME) {
      const to = Math.min(rows, from + AT_A_TIME) - 1;
      await client.query(
        `insert into "${name}" (${Object.keys(all).map((column) => `"${column}"`)}) select ${Object.values(all)}
         from generate_series(${from}::bigint, ${to}) as g(i) on conflict do nothing`,
      );
    }
    tell(`${name}: ${rows} rows in ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
  }
}

function anyValue({ name, type }: { name: string; type: string }): string {
  return type === "text" ? `'${name} ' || i` : "i";
}
