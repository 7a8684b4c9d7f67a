import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { acme, botApp, sendText } from "./support/acme.ts";
import { sqlite } from "./support/engines.ts";
import { World } from "./support/world.ts";

test("a send whose message cannot be stored leaves no gap in its conversation, though it has no savepoint", async (t) => {
  const world = await World.create(sqlite, acme(botApp("app_bot")));
  t.after(() => world.dispose());
  const { storage } = world.portico.ctx;
  const change = (statement: string) => storage.write((tx) => sql.raw(statement).execute(tx));
  const kept = async () => {
    const { rows } = await sql<{ seq: number }>`select msg_seq as seq from messages order by message_id`.execute(
      storage.db,
    );
    return rows.map(({ seq }) => seq);
  };
  const first = await sendText(world, "app_bot", "first");
  assert.equal(first.json.value?.msgSeq, 1);

  // A message that cannot be inserted, a counter that does not follow it, and an engine that gives the transaction up.
  for (const [event, failure] of [
    ["insert on messages", "abort"],
    ["update on conversations", "abort"],
    ["insert on messages", "rollback"],
    ["update on conversations", "rollback"],
  ]) {
    await change(`create trigger stuck before ${event} begin select raise(${failure}, 'stuck'); end`);
    const failed = await Promise.all(["second", "third"].map((text) => sendText(world, "app_bot", text)));
    assert.deepEqual(
      failed.map(({ status }) => status),
      [500, 500],
      event,
    );
    assert.deepEqual(await kept(), [1], event);
    await change("drop trigger stuck");
  }

  const next = await sendText(world, "app_bot", "fourth");
  assert.equal(next.json.value?.msgSeq, 2);
  assert.deepEqual(await kept(), [1, 2]);
});
