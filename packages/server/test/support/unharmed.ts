import assert from "node:assert/strict";
import { sendText } from "./acme.ts";
import { assertSuccess } from "./assert-answer.ts";
import { send } from "./http.ts";
import type { World } from "./world.ts";

const INNATE = Reflect.ownKeys(Object.prototype);

/** Asserts that no input has changed Object.prototype. */
export function assertPrototypesUnchanged(): void {
  assert.deepEqual(Reflect.ownKeys(Object.prototype), INNATE);
  assert.deepEqual(Object.keys(Array.prototype), []);
}

/** Asserts that the service is healthy: alive, able to send for `appId`, with no internal failure in the log. */
export async function assertUnharmed(world: World, appId: string): Promise<void> {
  assert.equal((await send(`${world.url}/healthz`)).status, 200);
  assertSuccess(await sendText(world, appId, "still here"));
  assert.deepEqual(
    world.logLines.filter((line) => JSON.parse(line).level >= 40),
    [],
  );
  assertPrototypesUnchanged();
}
