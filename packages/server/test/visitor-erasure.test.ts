import assert from "node:assert/strict";
import { sweepFiles } from "../src/domain/files/sweep.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { rowsOf } from "./support/versions.ts";
import { serviceApp, serviceCall, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_shop";
/** Words that are nowhere when the visitor has been erased. */
const TRACES = ["Annabel", "ann@example", "139-ann", "my parcel", "c-ann", "careful with"];

onBothEngines("a visitor's data", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(serviceApp(APP)));
  const owner = () => ConsoleClient.logIn(world());

  /** A visitor with a conversation of some messages, and a note about them. */
  async function served(thirdUserId: string, messages: number) {
    const profile = { nickname: "Annabel", email: "ann@example.com", phone: "139-ann", extra: { city: "my parcel" } };
    const widget = await WidgetClient.open(world(), APP, thirdUserId, profile);
    const { visitorId } = widget;
    const say = () =>
      serviceCall(world(), APP, "message/send", { visitorId, content: `where is my parcel ${Math.random()}` });
    for (let n = 0; n < messages; n++) assert.equal((await say()).status, 200);
    const { storage, clock } = world().portico.ctx;
    const session = await storage.db
      .selectFrom("customer_sessions")
      .select("session_id")
      .where("visitor_id", "=", visitorId)
      .executeTakeFirstOrThrow();
    await storage.write(async (tx) => {
      await tx
        .insertInto("customer_notes")
        .values({
          app_id: APP,
          visitor_id: visitorId,
          session_id: session.session_id,
          agent_user_id: "u_alice",
          client_note_id: null,
          text: "careful with Annabel",
          created_at: clock.now(),
        })
        .execute();
    });
    return { widget, visitorId };
  }

  test("is exported whole, a page at a time, to the owner alone", async () => {
    const { visitorId } = await served("c-export", 205);
    const client = await owner();
    const kinds: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.ok("POST", `apps/${APP}/visitors/${visitorId}/export`, { cursor });
      assert.ok(page.items.length <= 200);
      kinds.push(...page.items.map(({ kind }: { kind: string }) => kind));
      if (cursor === undefined) {
        assert.equal(page.items[0].record.nickname, "Annabel");
        assert.deepEqual(page.items[0].record.extra, { city: "my parcel" });
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    assert.deepEqual([count("visitor"), count("session"), count("message"), count("note")], [1, 1, 205, 1]);
    for (const cursor of ["x", "visitor:0", "message:100"]) {
      const wrong = await client.call("POST", `apps/${APP}/visitors/${visitorId}/export`, { cursor });
      assertConsoleRefused(wrong, 400, "cursor不合法");
    }
    assertConsoleRefused(await client.call("POST", `apps/${APP}/visitors/v_none/export`, {}), 404, "访客不存在");
  });

  test("is erased: nothing of it is anywhere, numbers have no gaps, and nobody can act as the visitor", async () => {
    const { widget, visitorId } = await served("c-ann", 5);
    const client = await owner();
    assert.equal((await client.call("PATCH", `apps/${APP}/visitors/${visitorId}`, { status: 1 })).status, 200);
    const report = await client.ok("POST", `apps/${APP}/visitors/${visitorId}/erase`);
    assert.deepEqual([report.messages, report.notes], [5, 1]);
    assert.equal((await widget.call("session")).status, 401);
    await sweepFiles(world().portico.ctx);
    const { db } = world().portico.ctx.storage;
    const messages = await db
      .selectFrom("customer_messages")
      .selectAll()
      .where("visitor_id", "=", visitorId)
      .orderBy("seq")
      .execute();
    assert.deepEqual(
      messages.map(({ seq, content }) => [seq, content]),
      [1, 2, 3, 4, 5].map((seq) => [seq, '""']),
    );
    const own = [...(await rowsOf(db))].flatMap(([table, rows]) =>
      rows.map((row) => JSON.stringify(row)).filter((text) => text.includes(visitorId) || table === "customer_texts"),
    );
    for (const word of TRACES.filter((trace) => trace !== "my parcel")) {
      assert.ok(!own.some((text) => text.includes(word)), `${word}: ${own.find((text) => text.includes(word))}`);
    }
    assert.deepEqual((await checkStore(world().env, { contents: false })).findings, []);

    const again = await client.ok("POST", `apps/${APP}/visitors/${visitorId}/erase`);
    assert.deepEqual(Object.values(again), [0, 0, 0, 0, 0, 0, 0]);
    const entries = await db
      .selectFrom("audit_entries")
      .select("action")
      .where("target", "=", `visitor:${visitorId}`)
      .execute();
    assert.equal(entries.filter(({ action }) => action === "visitor.erase").length, 1);
    const { visitorId: newcomer } = await WidgetClient.open(world(), APP, "c-ann");
    assert.notEqual(newcomer, visitorId);
  });
});
