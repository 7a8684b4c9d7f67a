import assert from "node:assert/strict";
import { setVisitorStatus } from "../src/domain/customer-service/visitor-store.ts";
import {
  endVisitorTokens,
  issueVisitorToken,
  VISITOR_TOKEN_LIFE_MS,
  visitorOfToken,
} from "../src/domain/customer-service/visitor-tokens.ts";
import { Maintenance } from "../src/service/maintenance.ts";
import { acme } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_desk";

onBothEngines("customer service: visitors", (engine, test) => {
  const world = suiteWorld(engine, acme(customerApp(APP)));
  const app = new CustomerClient(world, APP);
  const auth = (said: unknown) => app.value(app.post("visitor/auth", said));
  const info = (visitorId: string) => app.value(app.get("visitor/info", { visitorId }));
  const ownerOf = async (token: string) =>
    (await visitorOfToken(world().portico.ctx.storage.db, token, world().clock.now()))?.visitorId ?? null;

  test("POST visitor/auth creates a visitor with all given data, and visitor/info returns them", async () => {
    const said = {
      thirdUserId: "客户-1 🎉",
      nickname: "安",
      avatar: "https://example.com/a.png",
      phone: "+86 138",
      email: "ann@example.com",
      extra: { level: 3, tags: ["vip"], __proto__: { x: 1 } },
    };
    const { visitorToken, expiresAt, isNew, ...visitor } = await auth(said);
    const now = world().clock.now();
    assert.equal(isNew, true);
    assert.match(visitor.visitorId, /^v_[0-9a-f]{24}$/);
    assert.match(visitorToken, /^[\w-]{43}$/);
    assert.equal(expiresAt, now + VISITOR_TOKEN_LIFE_MS);
    assert.equal(await ownerOf(visitorToken), visitor.visitorId);
    assert.deepEqual(visitor, {
      visitorId: visitor.visitorId,
      ...said,
      extra: { level: 3, tags: ["vip"] },
      status: 1,
      online: false,
      lastSeenAt: now,
      createdAt: now,
    });
    assert.deepEqual(await info(visitor.visitorId), { ...visitor, currentSessionId: null });
  });
  test("POST visitor/auth again overwrites the given fields and keeps the others", async () => {
    const first = await auth({ thirdUserId: "again", nickname: "A", phone: "1", extra: { a: 1 } });
    world().clock.turn(1000);
    const second = await auth({ thirdUserId: "again", nickname: "", email: "e", avatar: null, extra: null });
    assert.deepEqual(second, {
      ...first,
      nickname: "",
      email: "e",
      lastSeenAt: first.lastSeenAt + 1000,
      isNew: false,
      visitorToken: second.visitorToken,
      expiresAt: first.expiresAt + 1000,
    });
    assert.notEqual(second.visitorToken, first.visitorToken);
    assert.equal(await ownerOf(first.visitorToken), first.visitorId);
  });
  test("extra keeps the spelling of its numbers", async () => {
    const extra = '{"id": 12345678901234567890, "rate": 1.10, "\\u0000": "\\ud800", "big": 1e400}';
    const made = await app.post("visitor/auth", `{"thirdUserId":"exact","extra":{},"extra":${extra}}`);
    assertSuccess(made);
    assert.ok(made.text.includes(extra), made.text);
    const read = await app.get("visitor/info", { visitorId: made.json.value.visitorId });
    assert.ok(read.text.includes(extra), read.text);
  });
  for (const [field, longest] of [
    ["thirdUserId", 128],
    ["nickname", 64],
    ["avatar", 2048],
    ["phone", 32],
    ["email", 254],
  ] as const) {
    test(`limit: ${field} of ${longest} characters is accepted, one more is refused`, async () => {
      const body = { thirdUserId: `limit-${field}` };
      assertSuccess(await app.post("visitor/auth", { ...body, [field]: "访".repeat(longest) }));
      const refused = await app.post("visitor/auth", { ...body, [field]: "访".repeat(longest + 1) });
      assertRefused(refused, 400, "400006");
      assert.ok(refused.json.message.startsWith(field), refused.json.message);
      for (const wrong of [7, ["x"], {}, "a\u0000b", "a\ud800b"]) {
        const answer = await app.post("visitor/auth", { ...body, [field]: wrong });
        assertRefused(answer, 400, "400006");
        assert.ok(answer.json.message.startsWith(field), answer.json.message);
      }
    });
  }
  test("limit: extra of 8 KiB is accepted; one byte more, and a value that is not an object, is refused", async () => {
    const extra = (bytes: number) => ({ x: "y".repeat(bytes - '{"x":""}'.length) });
    assertSuccess(await app.post("visitor/auth", { thirdUserId: "extra", extra: extra(8192) }));
    assertRefused(await app.post("visitor/auth", { thirdUserId: "extra", extra: extra(8193) }), 400, "400006");
    for (const wrong of ["x", 7, [], true]) {
      const refused = await app.post("visitor/auth", { thirdUserId: "extra", extra: wrong });
      assertRefused(refused, 400, "400006");
      assert.ok(refused.json.message.startsWith("extra"), refused.json.message);
    }
    const deep = `${'{"a":'.repeat(1300)}1${"}".repeat(1300)}`;
    const made = await app.post("visitor/auth", `{"thirdUserId":"deep","extra":${deep}}`);
    assertSuccess(made);
    assert.ok(made.text.includes(deep));
  });
  test("visitor/info: currentSessionId is the open session", async () => {
    const { visitorId, sessionId } = await app.newSession();
    assert.equal((await info(visitorId)).currentSessionId, sessionId);
    await app.value(app.post("session/close", { sessionId }));
    assert.equal((await info(visitorId)).currentSessionId, null);
  });
  test("visitor/info: online for 45 seconds after a heartbeat", async () => {
    const visitorId = await app.newVisitor();
    const { storage } = world().portico.ctx;
    await storage.write(async (tx) => {
      const seen = { heartbeat_at: world().clock.now() };
      await tx.updateTable("visitors").set(seen).where("visitor_id", "=", visitorId).execute();
    });
    world().clock.turn(44_999);
    assert.equal((await info(visitorId)).online, true);
    world().clock.turn(1);
    assert.equal((await info(visitorId)).online, false);
  });

  test("50 concurrent first auths create one visitor, and exactly one is new", async () => {
    for (let round = 0; round < 3; round++) {
      const said = { thirdUserId: `race-${round}`, nickname: "R" };
      const values = await Promise.all(Array.from({ length: 50 }, () => auth(said)));
      assert.equal(new Set(values.map(({ visitorId }) => visitorId)).size, 1);
      assert.equal(values.filter(({ isNew }) => isNew).length, 1);
      assert.equal(new Set(values.map(({ visitorToken }) => visitorToken)).size, 50);
    }
  });
  test("a visitorToken is valid for two hours, and only its hash is stored", async () => {
    assert.equal(VISITOR_TOKEN_LIFE_MS, 7_200_000);
    const { visitorToken, visitorId } = await auth({ thirdUserId: "life" });
    world().clock.turn(VISITOR_TOKEN_LIFE_MS - 1);
    assert.equal(await ownerOf(visitorToken), visitorId);
    world().clock.turn(1);
    assert.equal(await ownerOf(visitorToken), null);
    for (const nobodys of ["", "x", `${visitorToken}x`, "%", "x".repeat(1000)])
      assert.equal(await ownerOf(nobodys), null);
    const { db } = world().portico.ctx.storage;
    const kept = JSON.stringify(await db.selectFrom("visitor_tokens").selectAll().execute());
    assert.ok(!kept.includes(visitorToken));
    assert.ok(!world().logLines.join().includes(visitorToken));
    const maintenance = new Maintenance(world().portico.ctx);
    await maintenance.run();
    await maintenance.close();
    const left = await db.selectFrom("visitor_tokens").selectAll().where("visitor_id", "=", visitorId).execute();
    assert.equal(left.length, 0);
  });
  test("a visitor has at most 20 tokens: the oldest are removed, also with concurrent requests", async () => {
    const tokens: string[] = [];
    for (let n = 0; n < 21; n++) {
      world().clock.turn(1);
      tokens.push((await auth({ thirdUserId: "many" })).visitorToken);
    }
    const good = await Promise.all(tokens.map(ownerOf));
    assert.deepEqual(
      good.map((owner) => owner !== null),
      tokens.map((_, n) => n > 0),
    );
    const { visitorId } = await auth({ thirdUserId: "many" });
    await Promise.all(Array.from({ length: 50 }, () => auth({ thirdUserId: "many" })));
    const { db } = world().portico.ctx.storage;
    const kept = await db.selectFrom("visitor_tokens").selectAll().where("visitor_id", "=", visitorId).execute();
    assert.equal(kept.length, 20);
  });
  test("a disabled visitor's tokens are invalid, and none is issued concurrently with the disabling", async () => {
    const { visitorToken, visitorId } = await auth({ thirdUserId: "shut out" });
    const { storage } = world().portico.ctx;
    const disable = storage.write((tx) => setVisitorStatus(tx, APP, visitorId, 0));
    const issues = Array.from({ length: 10 }, () =>
      storage.write((tx) => issueVisitorToken(tx, visitorId, world().clock.now())),
    );
    await disable;
    await Promise.all(issues);
    assert.equal(await ownerOf(visitorToken), null);
    assert.equal(await storage.write((tx) => issueVisitorToken(tx, visitorId, world().clock.now())), null);
    await storage.write((tx) => endVisitorTokens(tx, visitorId));
    await storage.write((tx) => setVisitorStatus(tx, APP, visitorId, 1));
    assert.equal(await ownerOf(visitorToken), null);
  });
});
