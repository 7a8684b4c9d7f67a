import assert from "node:assert/strict";
import type { MemberExport } from "@portico/protocol/schemas";
import { operatedAcme, operator, otherOperator } from "./support/app-life.ts";
import { assertConsoleRefused, ConsoleClient } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { memberPath } from "./support/erased-member.ts";
import { suiteWorld } from "./support/world.ts";

const ALICE = "u_alice";
const PATH = `${memberPath(ALICE)}/export`;
/** More than a page. */
const MARKS = 450;

onBothEngines("the pages of a member's export", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme());
  const asOperator = () => ConsoleClient.logIn(world(), operator);
  const page = async (cursor?: string): Promise<MemberExport> => (await asOperator()).ok("POST", PATH, { cursor });
  const read = (...groups: string[]) =>
    world().portico.ctx.storage.write(async (tx) => {
      const marks = groups.map((group) => ({ user_id: ALICE, conversation_key: `group:${group}`, seq: 1 }));
      await tx.insertInto("member_reads").values(marks).execute();
    });

  for (const cursor of [
    "member:0",
    "message:1",
    "",
    Buffer.from(JSON.stringify({ place: "message:0", begunAt: Date.now() })).toString("base64"),
    "0123456789abcdef.AAAA",
  ]) {
    test(`a made-up cursor ${cursor || "without a character"} is refused`, async () => {
      const refused = await (await asOperator()).call("POST", PATH, { cursor });
      assertConsoleRefused(refused, 400, "cursor不合法");
    });
  }

  test("what is read while pages are fetched does not repeat or skip any mark", async () => {
    const groups = Array.from({ length: MARKS }, (_, n) => `g_read.${String(n).padStart(3, "0")}`);
    await read(...groups);
    const told: unknown[] = [];
    for (let cursor: string | undefined, pages = 0; ; pages++) {
      const { items, nextCursor } = await page(cursor);
      assert.ok(items.length <= 200);
      for (const { kind, record } of items) if (kind === "read") told.push(record.conversation_key);
      if (nextCursor === null) break;
      cursor = nextCursor;
      // Before all of them, where a page that counts marks would not notice it.
      if (pages === 1) await read("a_first");
    }
    assert.deepEqual(
      told,
      groups.map((group) => `group:${group}`),
    );
  });

  test("a cursor is refused from another operator, for another member, and a day after the first page", async () => {
    const client = await asOperator();
    const { nextCursor: cursor } = await page();
    await client.ok("POST", PATH, { cursor });
    const others = `${memberPath("u_bob")}/export`;
    assertConsoleRefused(await client.call("POST", others, { cursor }), 400, "cursor不合法");
    const second = await ConsoleClient.logIn(world(), otherOperator);
    assertConsoleRefused(await second.call("POST", PATH, { cursor }), 400, "cursor不合法");
    const { nextCursor: later } = await client.ok("POST", PATH, { cursor });
    world().clock.turn(24 * 3_600_000);
    assertConsoleRefused(await (await asOperator()).call("POST", PATH, { cursor: later }), 400, "cursor不合法");
  });
});
