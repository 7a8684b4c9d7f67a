import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { OPEN_HEADERS, signRequest } from "@portico/protocol/signature";
import { acme, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld, type World } from "./support/world.ts";

const STRANGERS = 1_000;
/** Far fewer are refused in the time of one call, unless those that came earlier are answered first. */
const MOST_REFUSED_BEFORE = 300;

async function connected(t: TestContext, { url }: World, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress });
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Has a thousand strangers call at the same time; counts those who have been refused. */
async function flood(t: TestContext, world: World, call: string): Promise<{ refused: number }> {
  const strangers = await Promise.all(Array.from({ length: STRANGERS }, () => connected(t, world)));
  const seen = { refused: 0 };
  for (const stranger of strangers) {
    stranger.once("data", (answer) => {
      assert.match(String(answer), /^HTTP\/1\.1 401 /);
      seen.refused++;
    });
    stranger.write(call);
  }
  return seen;
}

/** A call without a signature; its body is not read. */
const UNSIGNED = `POST ${MESSAGES} HTTP/1.1\r\nHost: portico\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;

/** A signed send; `aheadMs` is the error of its clock. */
function send(world: World, text: string, aheadMs = 0): string {
  const body = textBody(text);
  const call = { method: "POST", path: MESSAGES, rawQuery: "", nonce: `n-${text}`, body };
  const { headers } = signRequest({ ...credentialsOf("app_bot"), ...call, timestamp: world.clock.now() + aheadMs });
  const lines = [`POST ${MESSAGES} HTTP/1.1`, "Host: portico", "Content-Type: application/json"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${[...lines, `Content-Length: ${Buffer.byteLength(body)}`].join("\r\n")}\r\n\r\n${body}`;
}

async function answerTo(socket: Socket, call: string): Promise<string> {
  const [answer] = await Promise.all([once(socket, "data"), socket.write(call)]);
  return String(answer);
}

onBothEngines("a flood of refused calls", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const known = `${OPEN_HEADERS.appId}: app_bot\r\n`;
  for (const [what, call] of [
    ["without a signature", UNSIGNED],
    ["in the name of the application", UNSIGNED.replace("Host", `${known}Host`)],
  ] as const) {
    test(`${what}: a signed send that comes after it is answered before it`, async (t) => {
      const sender = await connected(t, world());
      assert.match(await answerTo(sender, send(world(), `before, ${what}`)), /^HTTP\/1\.1 200 /);
      const seen = await flood(t, world(), call);
      assert.match(await answerTo(sender, send(world(), `amid, ${what}`)), /^HTTP\/1\.1 200 /);
      assert.ok(seen.refused < MOST_REFUSED_BEFORE, `${seen.refused} were refused before`);
    });
  }
  test("a caller of another address whose clock is wrong gets the same refusal as ever, before the flood's", async (t) => {
    const wrong = 3_600_000;
    const sender = await connected(t, world(), "127.0.0.2");
    const varying = /"reqNo":"\w+"|^date: .*$/gim;
    const usual = (await answerTo(sender, send(world(), "before", wrong))).replace(varying, "");
    assert.match(usual, /^HTTP\/1\.1 401 .*"code":"400001"/s);
    const seen = await flood(t, world(), UNSIGNED);
    assert.equal((await answerTo(sender, send(world(), "amid", wrong))).replace(varying, ""), usual);
    assert.ok(seen.refused < MOST_REFUSED_BEFORE, `${seen.refused} were refused before`);
  });
});
