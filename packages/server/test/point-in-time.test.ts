import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { createTempDir, findUnprivilegedUser, type User } from "../../../scripts/test-services/unprivileged-user.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { acme, botApp, sendText } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { postgres } from "./support/engines.ts";
import { until } from "./support/webhooks.ts";
import { World } from "./support/world.ts";

const [bin] = globSync("/usr/lib/postgresql/*/bin").toSorted().reverse();
const { PORTICO_TEST_REDIS_URL: redisUrl } = process.env;
const hasTools = bin !== undefined && globSync(join(bin, "pg_basebackup")).length > 0;
const skip = !hasTools ? "needs a server of PostgreSQL with pg_basebackup" : redisUrl ? false : "needs Redis";

/** A server in a folder of its own, which its user owns. */
class Server {
  readonly #user: User | undefined;
  readonly data: string;
  readonly port: number;

  constructor(user: User | undefined, data: string, port: number) {
    this.#user = user;
    this.data = data;
    this.port = port;
  }

  get url(): string {
    return `postgres://portico@127.0.0.1:${this.port}/postgres`;
  }

  async run(program: string, ...args: string[]): Promise<void> {
    await promisify(execFile)(join(bin ?? "", program), args, { ...this.#user, cwd: "/" });
  }

  configure(...lines: string[]): void {
    const own = [
      `port = ${this.port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = ''`,
      "fsync = off",
    ];
    appendFileSync(join(this.data, "postgresql.conf"), `${[...own, ...lines].join("\n")}\n`);
  }

  async start(t: TestContext): Promise<void> {
    await this.run("pg_ctl", "-D", this.data, "-w", "-l", `${this.data}.log`, "start");
    t.after(() => this.run("pg_ctl", "-D", this.data, "-m", "immediate", "stop").catch(() => {}));
  }

  async query(sql: string): Promise<string> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      const { rows } = await client.query({ text: sql, rowMode: "array" });
      return String(rows[0]?.[0]);
    } finally {
      await client.end();
    }
  }
}

async function textsOf(world: World): Promise<string[]> {
  const rows = await world.portico.ctx.storage.db
    .selectFrom("messages")
    .select("content")
    .orderBy("message_id")
    .execute();
  return rows.map(({ content }) => JSON.parse(String(content)).text);
}

test("a base backup and the archived log lead back to a moment, as docs/operations.md says", { skip }, async (t) => {
  const user = await findUnprivilegedUser();
  const folder = await createTempDir("portico-test-pitr-", user);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = mkdtempSync(join(folder, "data-"));
  const archive = join(folder, "archive");
  mkdirSync(archive);
  if (user !== undefined) chownSync(archive, user.uid, user.gid);
  const primary = new Server(user, join(folder, "primary"), await findFreePort());
  await primary.run("initdb", "--username=portico", "--auth=trust", "--no-sync", "-D", primary.data);
  primary.configure(
    "wal_level = replica",
    "archive_mode = on",
    `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
  );
  await primary.start(t);

  const env: Record<string, string> = {
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DATABASE_URL: primary.url,
    PORTICO_REDIS_URL: redisUrl ?? "",
    PORTICO_MASTER_KEY: randomBytes(32).toString("hex"),
  };
  const instance = { env, dispose: async () => {} };
  const world = await World.on(postgres, instance, acme(botApp("app_bot")));
  t.after(() => world.stop());
  assertSuccess(await sendText(world, "app_bot", "before the backup"));
  const base = join(folder, "restored");
  await primary.run(
    "pg_basebackup",
    "-h",
    "127.0.0.1",
    "-p",
    `${primary.port}`,
    "-U",
    "portico",
    "-D",
    base,
    "-X",
    "stream",
    "-c",
    "fast",
  );
  assertSuccess(await sendText(world, "app_bot", "after the backup"));
  const moment = await primary.query("select now()::text");
  assertSuccess(await sendText(world, "app_bot", "by mistake"));
  const last = await primary.query("select pg_walfile_name(pg_switch_wal())");
  await until(() => globSync(join(archive, last)).length > 0, "the log is archived");
  await world.stop();

  const restored = new Server(user, base, await findFreePort());
  restored.configure(
    "archive_mode = off",
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${moment}'`,
    "recovery_target_action = 'promote'",
  );
  const signal = join(base, "recovery.signal");
  writeFileSync(signal, "");
  if (user !== undefined) chownSync(signal, user.uid, user.gid);
  await restored.start(t);
  await until(async () => (await restored.query("select pg_is_in_recovery()")) === "false", "it has recovered");

  env.PORTICO_DATABASE_URL = restored.url;
  assert.deepEqual((await checkStore(env, { contents: true })).findings, []);
  const again = await World.on(postgres, instance, null);
  t.after(() => again.stop());
  assert.deepEqual(await textsOf(again), ["before the backup", "after the backup"]);
  assertSuccess(await sendText(again, "app_bot", "and it goes on"));
});
