import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Databases } from "./databases.ts";

const run = promisify(execFile);

/** The sends whose inserts share a transaction, about as many as the service's transactions carry. */
const BATCH = 24;
/** Where Debian has the programs of its PostgreSQL versions. */
const DEBIAN = "/usr/lib/postgresql";

/**
 * What one send inserts, without what the service checks before: its nonce, its place, its message. No text may have a colon
 * before a letter, which would name a variable.
 */
const ONE_BY_ONE = `begin;
insert into nonces_0 (app_id, nonce, signed_at, expires_at) values ('app_pgbench', gen_random_uuid()::text, 0, 0);
insert into conversations (conversation_key, last_seq) values ('g_pgbench', 1)
  on conflict (conversation_key) do update set last_seq = conversations.last_seq + 1;
insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at)
  select conversation_key, last_seq, 'BOT', 'app_pgbench', 'text', '{"text":"message 0000000000"}', '[]', 0
  from conversations where conversation_key = 'g_pgbench';
commit;
`;

/** The same for {@link BATCH} sends in one transaction. */
const BATCHED = `begin;
insert into nonces_0 (app_id, nonce, signed_at, expires_at)
  select 'app_pgbench', gen_random_uuid()::text, 0, 0 from generate_series(1, ${BATCH});
insert into conversations (conversation_key, last_seq) values ('g_pgbench', ${BATCH})
  on conflict (conversation_key) do update set last_seq = conversations.last_seq + ${BATCH};
insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at)
  select conversation_key, last_seq - n, 'BOT', 'app_pgbench', 'text', '{"text":"message 0000000000"}', '[]', 0
  from conversations, generate_series(0, ${BATCH - 1}) as n where conversation_key = 'g_pgbench';
commit;
`;

/** How fast PostgreSQL itself takes the inserts of sends, in sends per second. */
export interface InsertRates {
  oneByOne: number;
  batched: number;
}

/** Makes the inserts of signed sends by pgbench, in a database that the service has migrated. */
export class Pgbench {
  readonly #program: string;

  private constructor(program: string) {
    this.#program = program;
  }

  /** Finds the program; returns the reason when there is none. */
  static async find(): Promise<Pgbench | { missing: string }> {
    for (const program of ["pgbench", ...(await programsOfDebian())]) {
      try {
        await run(program, ["--version"]);
        return new Pgbench(program);
      } catch {
        // The next one.
      }
    }
    return { missing: "pgbench is not installed; Debian has it in postgresql-contrib" };
  }

  /**
   * Measures both forms, each for `seconds`.
   *
   * @throws when pgbench fails.
   */
  async measure({ postgresUrl }: Databases, connections: number, seconds: number): Promise<InsertRates> {
    const dir = await mkdtemp(join(tmpdir(), "portico-bench-pgbench-"));
    try {
      const rateOf = async (script: string) => {
        const file = join(dir, "script.sql");
        await writeFile(file, script);
        const load = ["--client", String(connections), "--jobs", "1", "--time", String(seconds)];
        const how = ["--no-vacuum", "--protocol", "prepared", "--file", file];
        const { stdout } = await run(this.#program, [...how, ...load, postgresUrl]);
        return transactionsPerSecond(stdout);
      };
      return { oneByOne: await rateOf(ONE_BY_ONE), batched: BATCH * (await rateOf(BATCHED)) };
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
}

/** The rate in the output of pgbench. @throws when there is none. */
export function transactionsPerSecond(output: string): number {
  const [, rate] = /^tps = ([\d.]+) /m.exec(output) ?? [];
  if (rate === undefined) throw new Error(`pgbench says no rate: ${output}`);
  return Number(rate);
}

async function programsOfDebian(): Promise<string[]> {
  const versions = await readdir(DEBIAN).catch(() => []);
  return versions.sort().map((version) => join(DEBIAN, version, "bin", "pgbench"));
}
