import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { signRequest } from "@portico/protocol/signature";
import { acme, botApp, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld, type World } from "./support/world.ts";

/** Both the window of timestamps and the lifetime of nonces. */
const WINDOW_MS = 300_000;

onBothEngines("a replay", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));

  for (const aheadMs of [0, 60_000, WINDOW_MS]) {
    test(`is refused through the last moment of its window (signed ${aheadMs} ms ahead)`, async () => {
      const { clock } = world();
      const sending = { nonce: randomUUID(), timestamp: clock.now() + aheadMs, body: textBody("once") };
      assertSuccess(await sendText(world(), "app_bot", "once", sending));
      clock.turn(aheadMs + WINDOW_MS);
      assertRefused(await sendText(world(), "app_bot", "once", sending), 401, "400001");
    });
  }

  test("is refused when its body arrives after the nonce has expired", async () => {
    const { clock } = world();
    const sending = { nonce: randomUUID(), timestamp: clock.now(), body: textBody("once") };
    assertSuccess(await sendText(world(), "app_bot", "once", sending));
    clock.turn(WINDOW_MS);
    const status = await sendInParts(world(), sending, () => void clock.turn(1_000));
    assert.equal(status, 401);
  });
});

/** Sends the head and a part of the body, calls `meanwhile` when the head has been checked, and sends the rest. */
async function sendInParts(
  world: World,
  { nonce, timestamp, body }: { nonce: string; timestamp: number; body: string },
  meanwhile: () => void,
): Promise<number> {
  const { bodies } = world.portico.ctx;
  const parts = { method: "POST", path: MESSAGES, rawQuery: "", nonce, timestamp, body };
  const { headers } = signRequest({ ...credentialsOf("app_bot"), ...parts });
  const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
  await once(socket, "connect");
  const length = Buffer.byteLength(body);
  const fields = { Host: "portico", "Content-Type": "application/json", "Content-Length": length, Connection: "close" };
  const lines = Object.entries({ ...fields, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${MESSAGES} HTTP/1.1\r\n${lines.join("")}\r\n${body.slice(0, 1)}`);
  while (bodies.bytes === 0) await wait(1);
  meanwhile();
  socket.write(body.slice(1));
  const answer = await text(socket);
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}
