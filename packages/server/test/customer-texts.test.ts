import assert from "node:assert/strict";
import { indexMissing } from "../src/domain/customer-service/index-missing.ts";
import { findMessageIds } from "../src/domain/customer-service/message-search.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

/** The contents of messages as an earlier version stored them, by type. */
const STORED = [
  ["text", JSON.stringify("needle in a haystack")],
  ["text", JSON.stringify('a "quoted"\nneedle 😀')],
  ["text", JSON.stringify(`${"x".repeat(498)}needle`)],
  ["text", JSON.stringify("a needle with NUL \0")],
  ["text", JSON.stringify("half a character \ud83d, needle")],
  ["text", JSON.stringify("C:\\users\\needle")],
  ["file", JSON.stringify({ fileKey: "needle", fileName: "hay.pdf", url: "https://needle.example/" })],
  ["file", JSON.stringify({ fileKey: "f", fileName: "Needle.pdf" })],
] as const;

onBothEngines("the search of messages that an earlier version has written", (engine, test) => {
  const world = suiteWorld(engine, {});
  const found = async (keyword: string) => {
    const { lists, dialect } = world().portico.ctx.storage;
    const wanted = { appId: "app_1", keyword, before: Number.MAX_SAFE_INTEGER, limit: 20 };
    return (await findMessageIds(lists, dialect, wanted)).ids;
  };
  const store = async (contents: readonly (readonly ["text" | "file", string])[]) => {
    const { storage, clock } = world().portico.ctx;
    const rest = { app_id: "app_1", visitor_id: "v_1", session_id: 1, sender_type: "VISITOR" as const };
    const last = (await storage.db.selectFrom("customer_messages").select("seq").orderBy("message_id").execute())
      .length;
    await storage.write(async (tx) => {
      for (const [index, [msg_type, content]] of contents.entries()) {
        const other = { seq: last + index + 1, agent_user_id: null, third_msg_id: null, created_at: clock.now() };
        await tx
          .insertInto("customer_messages")
          .values({ ...rest, ...other, msg_type, content })
          .execute();
      }
    });
  };
  const sweep = () => indexMissing(world().portico.ctx.storage, world().clock.now());

  test("finds the beginnings of their texts and their files' names, once they have settled", async () => {
    await store(STORED);
    await sweep();
    assert.deepEqual(await found("needle"), [], "a process of that version may still be at it");
    world().clock.turn(6 * 60_000);
    await Promise.all([sweep(), sweep()]);
    assert.deepEqual(await found("needle"), [8, 6, 5, 4, 2, 1]);
    assert.deepEqual(await found('"quoted"\nneedle 😀'), [2]);
    assert.deepEqual(await found("xxne"), [3]);
    assert.deepEqual(await found("\\users"), [6]);
    assert.deepEqual(await found("hay"), [7, 1]);
  });

  test("finds those that are written after others have been looked at, and many in one round", async () => {
    await store(Array.from({ length: 2_100 }, (_, n) => ["text", JSON.stringify(`later ${n}`)] as const));
    world().clock.turn(6 * 60_000);
    await sweep();
    assert.equal((await found("later 0")).length, 1);
    assert.equal((await found("later 2099")).length, 1);
  });
});
