import assert from "node:assert/strict";
import { test } from "node:test";
import type { Drainer } from "./drain.ts";
import { bareLoop, drainerOf } from "./drainers.ts";
import { checkEachOnce } from "./receipts.ts";
import { Receiver } from "./receiver.ts";
import { receiversEnv } from "./receivers-env.ts";

const EVENTS = 50;

/** The shape of a drainer's events: the members of the bodies and their length, which are the same for all. */
async function drain({ start }: Drainer): Promise<{ length: number; members: string[] }> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.adopt(await Receiver.open({ hangs: false }), (open) => open.close());
  const child = opened.adopt(await start(receiver.url, EVENTS), (started) => started.stop());
  await receiver.until(EVENTS);
  await child.stop();
  checkEachOnce(receiver.receipts, EVENTS);
  const bodies = receiver.receipts.map(({ body }) => body.toString("utf8"));
  const [length = 0, ...others] = new Set(bodies.map((body) => body.length));
  assert.deepEqual(others, []);
  return { length, members: Object.keys(JSON.parse(bodies[0] ?? "")) };
}

test("the bare loop and the service deliver events of the same shape, each once", async (t) => {
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const service = drainerOf({ name: "embedded", env: await receiversEnv(opened) }, null);
  assert.deepEqual(await drain(service), await drain(bareLoop(null)));
});
