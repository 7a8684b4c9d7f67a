import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { defineSqlFunctions } from "../../../../packages/server/src/platform/storage/sqlite/sqlite.ts";
import { signInDeveloper } from "../../load/sign-in.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario, Site } from "../scenario.ts";

const SEARCHERS = 10;
const VISITORS = 500_000;
const MEMBERS = 100_000;
/** Rows inserted in one transaction. */
const SLICE = 5_000;

const OPERATOR = { phone: "13800000009", password: "the operator's password", channelId: 1 };

/** Some match few rows, some many, all or none; they have one character, two or more. */
const KEYWORDS = [
  "1",
  "李",
  "李安",
  "安",
  "13",
  "v_4999",
  "cust-100",
  "c@example.com",
  "138123",
  "nobody",
  "xample.coz",
  "%_",
];
const LISTS = ["apps/app_desk/visitors", "operator/members", "apps/app_bench/bot-installation-members"];

/** Ten concurrent searches of a large directory, deep pages included. */
export const visitorSearch: Scenario = {
  name: "visitor-search",
  what: `${SEARCHERS} searches at a time among ${VISITORS} visitors and ${MEMBERS} members`,
  engines: ["embedded", "distributed"],
  world: { developers: [{ ...OPERATOR, name: "Operator", operator: true, tenants: ["t_bench"] }] },
  async prepare(site, progress) {
    const store = site.postgresUrl === null ? openSqlite(site.dataDir) : await openPostgres(site.postgresUrl);
    for (let first = 0; first < VISITORS; first += SLICE) {
      await store.addVisitors(first);
      if (first < MEMBERS) await store.addMembers(first);
      if (first % (20 * SLICE) === 0) progress(`${first} visitors`);
    }
    await store.close();
  },
  async attack(site, signal) {
    const token = await signInDeveloper(site.port, OPERATOR);
    let next = 0;
    const searches = await keepBusy(SEARCHERS, signal, async () => {
      const turn = next++;
      const list = LISTS[turn % LISTS.length] ?? "";
      const keyword = KEYWORDS[Math.floor(turn / LISTS.length) % KEYWORDS.length] ?? "";
      const page = list.endsWith("members") && !list.startsWith("operator") ? "" : "&page=3&pageSize=100";
      await get(site, token, `${list}?keyword=${encodeURIComponent(keyword)}${page}`, signal);
      // A list without a keyword, at a deep page.
      if (turn % 10 === 0) await get(site, token, "apps/app_desk/visitors?page=4000&pageSize=100", signal);
    });
    return { searches };
  },
};

async function get({ port }: Site, token: string, path: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/open/console/v1/${path}`, {
    headers: { authorization: `Bearer ${token}`, "x-open-tenant-id": "t_bench" },
    signal,
  });
  await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
}

/** Inserts directly into the tables: through the API it would take an hour. */
interface Store {
  /** Adds {@link SLICE} rows, numbered from `first`. */
  addVisitors(first: number): Promise<void> | void;
  addMembers(first: number): Promise<void> | void;
  close(): Promise<void> | void;
}

const FAMILY_NAMES = [..."李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"];
const GIVEN_NAMES = [..."伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红梅安"];

function nameOf(index: number): string {
  const [family, given] = [FAMILY_NAMES[index % FAMILY_NAMES.length], GIVEN_NAMES[(index * 7) % GIVEN_NAMES.length]];
  return `${family}${given}${index % 3 === 0 ? "" : GIVEN_NAMES[(index * 13) % GIVEN_NAMES.length]}`;
}

type Row = Record<string, string | number>;

function visitor(index: number): Row {
  return {
    visitor_id: `v_${index.toString().padStart(24, "0")}`,
    app_id: "app_desk",
    third_user_id: `cust-${1_000_000 + index * 7}`,
    nickname: nameOf(index),
    phone: `13${100_000_000 + ((index * 7_919) % 899_999_999)}`,
    email: `user${index}@example.com`,
    status: 1,
    created_at: 1_700_000_000_000 + index,
  };
}

function member(index: number): Row {
  return {
    user_id: `u_${index.toString(36).padStart(8, "0")}`,
    tenant_id: "t_bench",
    username: `member.${index}`,
    name: nameOf(index),
    phone: `15${100_000_000 + index}`,
  };
}

function slice(make: (index: number) => Row, first: number): Row[] {
  return Array.from({ length: SLICE }, (_, index) => make(first + index));
}

function openSqlite(dataDir: string): Store {
  const database = new Database(join(dataDir, "portico.db"), { timeout: 60_000 });
  defineSqlFunctions(database);
  const add = (table: string, rows: Row[]) => {
    const columns = Object.keys(rows[0] ?? {});
    const insert = database.prepare(
      `insert into ${table} (${columns}) values (${columns.map((column) => `@${column}`)})`,
    );
    database.transaction(() => {
      for (const row of rows) insert.run(row);
    })();
  };
  return {
    addVisitors: (first) => add("visitors", slice(visitor, first)),
    addMembers: (first) => add("members", slice(member, first)),
    close: () => {
      database.pragma("wal_checkpoint(passive)");
      database.close();
    },
  };
}

async function openPostgres(url: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const add = async (table: string, rows: Row[]) => {
    const columns = Object.keys(rows[0] ?? {});
    await client.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  };
  return {
    addVisitors: (first) => add("visitors", slice(visitor, first)),
    addMembers: (first) => add("members", slice(member, first)),
    close: async () => {
      // Otherwise the server would do this during the measurement.
      await client.query("vacuum analyze visitors, members");
      await client.query("checkpoint");
      await client.end();
    },
  };
}
