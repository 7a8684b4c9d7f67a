import assert from "node:assert/strict";
import { acme, alice, botApp } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { startReceiver } from "./support/receiver.ts";
import { deliveriesOf, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, sayTo, subscribe, until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

// The other parts of "at least once" are tested in the files of these parts, by tests whose names begin in the same
// way.
onBothEngines("the webhook engine without write access", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);
  const rename = (from: string, to: string) =>
    world().portico.ctx.storage.write((tx) => tx.schema.alterTable(from).renameTo(to).execute());
  const attemptsRecorded = () =>
    world()
      .portico.ctx.storage.db.selectFrom("delivery_attempts")
      .select(["attempt", "status"])
      .orderBy("at")
      .execute();

  test("at least once: a retry stays due when its attempt record could not be written, because both are in one transaction", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    receiver.respond = (_received, response) => void response.writeHead(500).end();
    await subscribe(world(), "app_bot", receiver.url());
    await rename("delivery_attempts", "out_of_reach");
    t.after(() => rename("out_of_reach", "delivery_attempts").catch(() => {}));
    await sayTo(world(), "app_bot", "hello", alice);
    await until(() => world().logLines.some((line) => line.includes("delivery_attempts")), "the record is not written");
    const [untouched] = await deliveriesOf(world(), "app_bot");
    assert.ok(untouched);
    const { status, attempt_count, retry_count, last_status, due_at } = untouched;
    assert.deepEqual([status, attempt_count, retry_count, last_status], ["PENDING", 0, 0, null]);
    assert.notEqual(due_at, null, "it is due at the end of the lease at the latest");

    await rename("out_of_reach", "delivery_attempts");
    receiver.respond = (_received, response) => void response.end();
    await until(async () => {
      world().clock.turn(1_000);
      await world().portico.ctx.webhooks.poll();
      return (await deliveriesOf(world(), "app_bot"))[0]?.status === "DELIVERED";
    }, "it is delivered");
    const [delivered] = await deliveriesOf(world(), "app_bot");
    const recorded = await attemptsRecorded();
    assert.deepEqual([recorded.length, recorded.at(-1)?.status], [delivered?.attempt_count, 200]);
    assert.equal(new Set(receiver.requests.map(({ headers }) => headers["x-open-event-id"])).size, 1);
  });
});
