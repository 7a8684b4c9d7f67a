import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import pg from "pg";
import { Maintenance } from "../src/service/maintenance.ts";
import { acme, alice, botApp, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines, postgres } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { uploadKey } from "./support/uploads.ts";
import { suiteWorld, type World } from "./support/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const provision = acme(
  botApp("app_bot", {
    quota: { perMinute: 1_000, perDay: 1_000, concurrent: 10 },
  }),
);

/** Sets the clock to the middle of a ten-minute span, where errors of sweeps are most likely. */
function toMiddleOfSpan({ clock }: World): void {
  clock.set(Math.ceil(clock.now() / (10 * MINUTE)) * 10 * MINUTE + 5 * MINUTE);
}

/** Runs the sweeps in every process. */
async function sweep(world: World): Promise<void> {
  for (const { ctx } of world.all) {
    const maintenance = new Maintenance(ctx);
    await maintenance.run();
    await maintenance.close();
  }
}

/** Advances time with a periodic sweep, as in operation. */
async function pass(world: World, ms: number, stepMs = 20 * MINUTE): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    world.clock.turn(Math.min(left, stepMs));
    await sweep(world);
  }
}

async function usedNonce(world: World) {
  const sending = { nonce: randomUUID(), timestamp: world.clock.now(), body: textBody("once") };
  assertSuccess(await sendText(world, "app_bot", "once", sending));
  return {
    replay: () => sendText(world, "app_bot", "once", sending),
  };
}

async function countNonces(world: World): Promise<number> {
  let count = 0;
  for (const partition of [0, 1, 2, 3, 4, 5] as const) {
    const rows = await world.portico.ctx.storage.db.selectFrom(`nonces_${partition}`).select("nonce").execute();
    count += rows.length;
  }
  return count;
}

onBothEngines("a used nonce", (engine, test) => {
  const running = suiteWorld(engine, provision);
  const worldNow = () => {
    const world = running();
    toMiddleOfSpan(world);
    return world;
  };

  test("stays used when the clock jumps ahead, sweeps run, and it jumps back", async () => {
    const world = worldNow();
    const { replay } = await usedNonce(world);
    for (const jump of [40 * MINUTE, 20 * MINUTE, HOUR]) {
      world.clock.jump(jump);
      assertSuccess(await sendText(world, "app_bot", "meanwhile"));
      await sweep(world);
      world.clock.jump(-jump);
      assertRefused(await replay(), 401, "400001");
      assertSuccess(await sendText(world, "app_bot", "afterwards"));
    }
  });

  test("stays used when the service is restarted while the clock is ahead", async () => {
    const world = worldNow();
    const { replay } = await usedNonce(world);
    await sweep(world);
    world.clock.jump(40 * MINUTE);
    await world.restart();
    assertSuccess(await sendText(world, "app_bot", "meanwhile"));
    await sweep(world);
    world.clock.jump(-40 * MINUTE);
    await world.restart();
    assertRefused(await replay(), 401, "400001");
    assertSuccess(await sendText(world, "app_bot", "afterwards"));
  });

  test("stays used when it has been deleted after its lifetime and the clock is set back", async () => {
    const world = worldNow();
    const { replay } = await usedNonce(world);
    const before = await countNonces(world);
    await pass(world, 3 * HOUR);
    assert.ok(before > 0 && (await countNonces(world)) === 0, "it is still kept");
    world.clock.jump(-3 * HOUR);
    assertRefused(await replay(), 401, "400001");
    await world.restart();
    assertRefused(await replay(), 401, "400001");
    world.clock.jump(3 * HOUR);
    assertSuccess(await sendText(world, "app_bot", "afterwards"));
  });

  test("signed with a future timestamp stays used until that time has passed", async () => {
    const world = worldNow();
    world.clock.jump(100 * MINUTE);
    const { replay } = await usedNonce(world);
    world.clock.jump(-100 * MINUTE);
    await pass(world, 100 * MINUTE, 10 * MINUTE);
    assertRefused(await replay(), 401, "400001");
    await pass(world, 2 * HOUR);
    assert.equal(await countNonces(world), 0);
  });

  test("is not kept for ever while clocks disagree", async () => {
    const world = worldNow();
    // The database's clock stays behind; in the embedded service, its own clock is set again every half hour.
    world.clock.jumpDatabase(-25 * MINUTE);
    let most = 0;
    for (let n = 0; n < 18; n++) {
      if (engine.name === "sqlite" && n % 3 === 0) world.clock.jump(n % 2 === 0 ? 25 * MINUTE : -25 * MINUTE);
      for (let call = 0; call < 2; call++) assertSuccess(await sendText(world, "app_bot", "hi"));
      await pass(world, 10 * MINUTE, 10 * MINUTE);
      most = Math.max(most, await countNonces(world));
    }
    assert.ok(most <= 2 * 12, `${most} nonces were kept`);
  });
});

describe("while a dump reads all tables", { skip: postgres.missing ?? false }, () => {
  const running = suiteWorld(postgres, provision);

  test("a sweep skips a partition that it cannot lock, and calls do not wait behind it", {
    timeout: 60_000,
  }, async () => {
    const world = running();
    toMiddleOfSpan(world);
    assertSuccess(await sendText(world, "app_bot", "hi"));
    const dump = new pg.Client(world.portico.ctx.config.distributed?.databaseUrl);
    await dump.connect();
    try {
      await dump.query("begin");
      for (let n = 0; n < 6; n++) await dump.query(`lock table nonces_${n} in access share mode`);
      world.clock.turn(40 * MINUTE);
      const swept = sweep(world);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assertSuccess(await sendText(world, "app_bot", "hi"));
      await swept;
      assert.equal(await countNonces(world), 2);
    } finally {
      await dump.end();
    }
    await sweep(world);
    assert.equal(await countNonces(world), 1);
  });
});

onBothEngines("a clock that jumps ahead by a month", (engine, test) => {
  const running = suiteWorld(engine, provision);

  test("deletes nothing when it jumps back, and is trusted when it stays", async () => {
    const world = running();
    toMiddleOfSpan(world);
    const member = await MemberClient.signIn(world, alice);
    const { ctx } = world.portico;
    const fileKey = await uploadKey(world, "app_bot");
    await ctx.requestLog.flush();
    const countRequests = async () => (await ctx.storage.db.selectFrom("requests").select("req_no").execute()).length;
    const requests = await countRequests();
    assert.ok(requests > 0);
    world.clock.jump(31 * DAY);
    await sweep(world);
    world.clock.jump(-31 * DAY);
    assertSuccess(await member.get("conversations"));
    assert.equal(await countRequests(), requests);
    const content = { fileKey };
    const body = textBody("", { msgType: "file", content });
    assertSuccess(await sendText(world, "app_bot", "", { body }));

    await ctx.requestLog.flush();
    world.clock.jump(31 * DAY);
    world.clock.jumpDatabase(31 * DAY);
    await pass(world, DAY + 2 * HOUR, 4 * HOUR);
    assert.equal(await countRequests(), 0);
    assertRefused(await member.get("conversations"), 401, "400001");
  });
});
