import assert from "node:assert/strict";
import { APPS, acme, botApp, call, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import type { Answer } from "./support/http.ts";
import { suiteWorld, type World } from "./support/world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const many = 1_000_000;

const succeeded = (answers: Answer[]) => answers.filter((answer) => answer.status === 200).length;

/** Sets the clock to the start of a minute, well within a day. */
function startOfMinute(world: World): number {
  const now = (Math.floor(Date.now() / DAY) + 1) * DAY + 12 * 60 * MINUTE;
  const later = Math.max(now, Math.ceil((world.clock.now() + 1) / MINUTE) * MINUTE);
  world.clock.set(later);
  return later;
}

/** Holds the answer of every admitted call until it is released. */
function holdAnswers(world: World) {
  const { ctx } = world.portico;
  const { storage } = ctx;
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let held = 0;
  ctx.storage = {
    ...storage,
    writeInStep: async (unit, options) => {
      const result = await storage.writeInStep(unit, options);
      held++;
      await released;
      return result;
    },
  };
  return {
    /** Resolves when `count` calls wait. */
    async until(count: number) {
      while (held < count) await new Promise(setImmediate);
    },
    letGo() {
      ctx.storage = storage;
      letGo();
    },
  };
}

onBothEngines("quota", (engine, test) => {
  const quota = (perMinute: number, perDay: number, concurrent: number) => ({
    quota: { perMinute, perDay, concurrent },
  });
  const world = suiteWorld(
    engine,
    acme(
      botApp("app_minute", quota(5, many, many)),
      botApp("app_minute_race", quota(20, many, many)),
      botApp("app_day", quota(many, 5, many)),
      botApp("app_jump", quota(many, 5, many)),
      botApp("app_day_race", quota(many, 20, many)),
      botApp("app_concurrent", quota(many, many, 3)),
      botApp("app_headers", quota(10, many, many)),
      botApp("app_ledger", quota(many, many, many)),
      botApp("app_default", { quota: undefined }),
    ),
  );

  test("requests per minute: exact to one request, then 429 until the next minute", async () => {
    const start = startOfMinute(world());
    world().clock.turn(20_000);
    for (let n = 0; n < 5; n++) assertSuccess(await sendText(world(), "app_minute", `${n}`));
    const refused = await sendText(world(), "app_minute", "one too many");
    assertRefused(refused, 429, "429001");
    assert.equal(refused.headers["retry-after"], "40");
    assert.equal(refused.headers["x-ratelimit-remaining"], "0");

    world().clock.set(start + MINUTE - 1);
    assertRefused(await sendText(world(), "app_minute", "still"), 429, "429001");
    world().clock.set(start + MINUTE);
    for (let n = 0; n < 5; n++) assertSuccess(await sendText(world(), "app_minute", `${n}`));
    assertRefused(await sendText(world(), "app_minute", "one too many"), 429, "429001");
  });
  test("requests per minute: of 50 concurrent calls exactly the allowed 20 pass", async () => {
    startOfMinute(world());
    const calls = Array.from({ length: 50 }, (_, n) => sendText(world(), "app_minute_race", `${n}`));
    assert.equal(succeeded(await Promise.all(calls)), 20);
  });

  test("requests per day: exact to one request, across minutes, then 429 until midnight UTC", async () => {
    startOfMinute(world());
    for (let n = 0; n < 5; n++) {
      assertSuccess(await sendText(world(), "app_day", `${n}`));
      world().clock.turn(2 * MINUTE);
    }
    const refused = await sendText(world(), "app_day", "one too many");
    assertRefused(refused, 429, "429001");
    assert.equal(Number(refused.headers["retry-after"]), Math.ceil((DAY - (world().clock.now() % DAY)) / 1_000));
    world().clock.set((Math.floor(world().clock.now() / DAY) + 1) * DAY);
    for (let n = 0; n < 5; n++) assertSuccess(await sendText(world(), "app_day", `${n}`));
    assertRefused(await sendText(world(), "app_day", "one too many"), 429, "429001");
  });
  test("requests per day: the counter is kept when the clock jumps a day ahead and back", async () => {
    for (let n = 0; n < 3; n++) assertSuccess(await sendText(world(), "app_jump", `${n}`));
    world().clock.jump(DAY);
    assertSuccess(await sendText(world(), "app_jump", "tomorrow"));
    world().clock.jump(-DAY);
    for (let n = 0; n < 2; n++) assertSuccess(await sendText(world(), "app_jump", `${n}`));
    assertRefused(await sendText(world(), "app_jump", "one too many"), 429, "429001");
  });
  test("requests per day: of 50 concurrent calls exactly the allowed 20 pass", async () => {
    const calls = Array.from({ length: 50 }, (_, n) => sendText(world(), "app_day_race", `${n}`));
    assert.equal(succeeded(await Promise.all(calls)), 20);
  });
  test("requests per day: the counter survives a restart of the service", async () => {
    world().clock.set((Math.floor(world().clock.now() / DAY) + 1) * DAY);
    for (let n = 0; n < 3; n++) assertSuccess(await sendText(world(), "app_day", `${n}`));
    await world().restart();
    for (let n = 0; n < 2; n++) assertSuccess(await sendText(world(), "app_day", `${n}`));
    assertRefused(await sendText(world(), "app_day", "one too many"), 429, "429001");
  });

  test("concurrent requests: exact to one request, and every place comes back", async () => {
    for (let round = 0; round < 3; round++) {
      const hold = holdAnswers(world());
      const calls = Array.from({ length: 10 }, (_, n) => sendText(world(), "app_concurrent", `${n}`));
      await hold.until(10);
      hold.letGo();
      const answers = await Promise.all(calls);
      assert.equal(succeeded(answers), 3);
      const refused = answers.find((answer) => answer.status !== 200);
      assert.ok(refused);
      assertRefused(refused, 429, "429001");
      assert.equal(refused.headers["retry-after"], "1");
    }
  });
  test("concurrent requests: a place is free again before its answer arrives", async () => {
    for (let n = 0; n < 30; n++) {
      const answers = await Promise.all([1, 2, 3].map((m) => sendText(world(), "app_concurrent", `${n} ${m}`)));
      assert.equal(succeeded(answers), 3);
    }
  });
  test("concurrent requests: a refused call gives its place back as well", async () => {
    for (let n = 0; n < 10; n++) {
      const body = textBody("x", { receiveId: "g_other" });
      assertRefused(await sendText(world(), "app_concurrent", "", { body }), 403, "400008");
    }
    assertSuccess(await sendText(world(), "app_concurrent", "after all those"));
  });

  test("every answer to an authenticated call has the headers of the minute window, including refusals", async () => {
    startOfMinute(world());
    world().clock.turn(15_000);
    const answers = [
      await call(world(), "app_headers", { target: APPS }),
      await sendText(world(), "app_headers", "", { body: "{" }),
      await sendText(world(), "app_headers", "hi", { headers: { accept: "text/html" } }),
      await sendText(world(), "app_headers", "hi", { headers: { "content-type": "text/plain" } }),
      await sendText(world(), "app_headers", "", { body: textBody("x", { receiveId: "g_other" }) }),
    ];
    for (const [n, { headers }] of answers.entries()) {
      assert.equal(headers["x-ratelimit-limit"], "10");
      assert.equal(headers["x-ratelimit-remaining"], String(9 - n));
      assert.equal(headers["x-ratelimit-reset"], "45");
    }
    const stranger = await sendText(world(), "app_headers", "hi", { signedBody: "other" });
    assert.equal(stranger.headers["x-ratelimit-limit"], undefined);
  });
  test("a call that is not authenticated, a replay included, counts towards no quota", async () => {
    startOfMinute(world());
    for (let n = 0; n < 5; n++) await sendText(world(), "app_minute", "hi", { signedBody: "other" });
    assertSuccess(await sendText(world(), "app_minute", "hi", { nonce: "n-replayed" }));
    for (let n = 0; n < 5; n++) await sendText(world(), "app_minute", "hi", { nonce: "n-replayed" });
    for (let n = 0; n < 4; n++) assertSuccess(await sendText(world(), "app_minute", `${n}`));
    assertRefused(await sendText(world(), "app_minute", "one too many"), 429, "429001");
  });
  test("an application without its own limits has the defaults: 6000 per minute", async () => {
    const { headers } = await call(world(), "app_default", { target: APPS });
    assert.equal(headers["x-ratelimit-limit"], "6000");
  });
});
