import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import pg from "pg";
import { startPostgresPair } from "../../../scripts/test-services/postgres.ts";
import { preparePostgresBinaries } from "../../../scripts/test-services/postgres-binaries.ts";
import { acme, botApp, call, MESSAGES } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { postgres } from "./support/engines.ts";
import { until } from "./support/redis-topologies.ts";
import { World } from "./support/world.ts";

const CALLERS = 8;
const BEFORE = 100;
const AFTER = 20;
const PAUSE_MS = 100;
/** From the promotion until calls succeed, on a busy machine. */
const RECOVERED_WITHIN_MS = 10_000;

describe("PostgreSQL with a synchronous replica", { skip: postgres.missing ?? false }, () => {
  test("the primary dies under load: the service goes on with the promoted replica, and loses nothing it acknowledged", async (t) => {
    await using opened = new AsyncDisposableStack();
    const binaries = await preparePostgresBinaries();
    opened.defer(() => binaries.remove());
    const { primary, replica } = await startPostgresPair(binaries);
    opened.defer(() => replica.stop());
    opened.defer(() => primary.stop());
    await query(primary.url, "create database portico");
    await until(async () => (await query(databaseAt(replica.url), "select 1")).length === 1);

    const instance = await postgres.create();
    opened.defer(() => instance.dispose());
    // The replica is named first, so that the order does not decide.
    const both = new URL(databaseAt(replica.url));
    const url = databaseAt(primary.url).replace(/@[^/]+/, `@${both.host},${new URL(primary.url).host}`);
    const bot = botApp("app_bot", { quota: { perMinute: 1_000_000, perDay: 1_000_000, concurrent: 1_000 } });
    const env = { PORTICO_DATABASE_URL: `${url}?target_session_attrs=read-write` };
    const own = { ...instance, env: { ...instance.env, PORTICO_MASTER_KEY: randomBytes(32).toString("hex") } };
    const world = await World.on(postgres, own, acme(bot), env);
    opened.defer(() => world.stop());

    const acknowledged = new Map<string, number>();
    const refused: Awaited<ReturnType<typeof send>>["answer"][] = [];
    let isOver = false;
    opened.defer(() => {
      isOver = true;
    });
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const { text, answer } = await send(world);
        if (answer.status === 200) acknowledged.set(text, answer.json.value.msgSeq);
        else {
          refused.push(answer);
          // As a client would, which is told to come back later.
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      }
    });
    await until(async () => acknowledged.size >= BEFORE);
    await primary.stop();
    const atDeath = acknowledged.size;
    await query(replica.url, "select pg_promote(true, 30)");
    const promotedAt = performance.now();
    await until(async () => acknowledged.size >= atDeath + AFTER);
    const tookMs = performance.now() - promotedAt;
    isOver = true;
    await Promise.all(callers);

    t.diagnostic(`${refused.length} calls refused; ${AFTER} more accepted ${tookMs.toFixed(0)} ms after the promotion`);
    assert.ok(tookMs < RECOVERED_WITHIN_MS, `${tookMs} ms`);
    for (const answer of refused) {
      assertRefused(answer, 500, "500000", "服务内部错误,请稍后重试");
      assert.match(String(answer.headers["retry-after"]), /^\d+$/);
    }
    const rows = await query(databaseAt(replica.url), "select content, msg_seq from messages order by msg_seq");
    const stored = rows.map(({ content, msg_seq }) => [String(JSON.parse(content).text), Number(msg_seq)] as const);
    assert.deepEqual(
      stored.map(([, seq]) => seq),
      stored.map((_, index) => index + 1),
      "without a gap",
    );
    const seqs = new Map(stored);
    assert.equal(seqs.size, stored.length, "each once");
    for (const [text, seq] of acknowledged) assert.equal(seqs.get(text), seq, `${text} was acknowledged`);
  });
});

async function send(world: World) {
  const text = randomUUID();
  const body = JSON.stringify({
    ...{ receiveIdType: "group_id", receiveId: "g_team", msgType: "text", clientMessageId: text },
    content: { text },
  });
  return { text, answer: await call(world, "app_bot", { method: "POST", target: MESSAGES, body }) };
}

function databaseAt(url: string): string {
  return new URL("/portico", url).href;
}

async function query(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
