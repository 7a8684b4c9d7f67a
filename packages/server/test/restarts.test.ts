import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acme, botApp, sendText } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines, postgres } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { noPrivateServices, privateService } from "./support/private-services.ts";
import { World } from "./support/world.ts";

const provision = acme(botApp("app_bot"));

/** Sends texts until one succeeds; asserts that each earlier failure is the contract's internal error. */
async function sendUntilRecovered(world: World): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const answer = await sendText(world, "app_bot", "is anybody there?");
    if (answer.status === 200) return;
    assertRefused(answer, 500, "500000", "服务内部错误,请稍后重试");
    assert.ok(Date.now() < deadline, "the service did not recover by itself");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

onBothEngines("a replay", (engine, test) => {
  test("is refused after a restart of the service", async (t) => {
    const world = await World.create(engine, provision);
    t.after(() => world.dispose());
    const sending = { nonce: "n-restart", timestamp: world.clock.now() };
    assertSuccess(await sendText(world, "app_bot", "hi", sending));
    await world.restart();
    assertRefused(await sendText(world, "app_bot", "hi", sending), 401, "400001");
    world.clock.turn(299_000);
    await world.restart();
    assertRefused(await sendText(world, "app_bot", "hi", sending), 401, "400001");
  });
});

describe("a restart of PostgreSQL or Redis", { skip: noPrivateServices ?? postgres.missing ?? false }, () => {
  test("PostgreSQL: a replay is refused afterwards, and the service recovers by itself", async (t) => {
    const database = await privateService(t, "postgres");
    if (database === null) return;
    const world = await World.create(postgres, provision, { PORTICO_DATABASE_URL: database.url });
    t.after(() => world.dispose());
    const sending = { nonce: "n-restart", timestamp: world.clock.now() };
    assertSuccess(await sendText(world, "app_bot", "hi", sending));
    await database.restart();
    await sendUntilRecovered(world);
    assertRefused(await sendText(world, "app_bot", "hi", sending), 401, "400001");
    assert.equal((await send(`${world.url}/readyz`)).status, 200);
  });
  test("Redis: a replay is refused afterwards, the day counter is remembered, the service recovers by itself", async (t) => {
    const redis = await privateService(t, "redis");
    if (redis === null) return;
    const limited = botApp("app_limited", { quota: { perMinute: 1_000, perDay: 5, concurrent: 100 } });
    const world = await World.create(postgres, acme(botApp("app_bot"), limited), { PORTICO_REDIS_URL: redis.url });
    t.after(() => world.dispose());
    const sending = { nonce: "n-restart", timestamp: world.clock.now() };
    assertSuccess(await sendText(world, "app_bot", "hi", sending));
    for (let n = 0; n < 3; n++) assertSuccess(await sendText(world, "app_limited", `${n}`));
    // The service stores its day counters every second and when it stops.
    await world.restart();
    await redis.restart();
    await sendUntilRecovered(world);
    assertRefused(await sendText(world, "app_bot", "hi", sending), 401, "400001");
    for (let n = 0; n < 2; n++) assertSuccess(await sendText(world, "app_limited", `${n}`));
    assertRefused(await sendText(world, "app_limited", "one too many"), 429, "429001");
  });
});
