import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { signRequest } from "@portico/protocol/signature";
import { acme, botApp, call, credentialsOf, MESSAGES, sendText, textBody } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { collectGarbage, measureGrowth } from "./support/memory.ts";
import { assertUnharmed } from "./support/unharmed.ts";
import { suiteWorld, type World } from "./support/world.ts";

const MB = 1_000_000;
const BYTES = 200_000;

/** Bodies of 200 KB that cause as much work as possible; as bytes, of which a caller needs no copy of its own. */
const BODIES = [
  "[".repeat(BYTES / 2) + "]".repeat(BYTES / 2),
  "[".repeat(BYTES),
  `${'{"a":'.repeat(BYTES / 6)}1${"}".repeat(BYTES / 6)}`,
  `[${"{},".repeat(BYTES / 3)}{}]`,
  textBody("x".repeat(BYTES)),
  textBody("x", { content: { text: "x", mentions: Array.from({ length: 400 }, (_, n) => `${n} ${"x".repeat(480)}`) } }),
].map((body) => Buffer.from(body));

/** Begins a signed, chunked send and stops after `bytes` of its body have been handed to the system. */
async function leaveHalfSent(world: World, bytes: number): Promise<Socket> {
  const { headers } = signRequest({
    ...credentialsOf("app_bot"),
    method: "POST",
    path: MESSAGES,
    rawQuery: "",
    timestamp: world.clock.now(),
    nonce: randomUUID(),
    body: "never whole",
  });
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const fields = { Host: "portico", "Content-Type": "application/json", "Transfer-Encoding": "chunked", ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunk = `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;
  const head = `POST ${MESSAGES} HTTP/1.1\r\n${lines.join("")}\r\n`;
  await new Promise((resolve) => socket.write(head + chunk, resolve));
  return socket;
}

onBothEngines("memory under hostile load", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));

  test("200 concurrent bodies of 200 KB and 50 half-sent uploads stay within 200 MB", async (t) => {
    for (const body of BODIES) await sendText(world(), "app_bot", "", { body });
    const growth = measureGrowth();

    const halfSent = await Promise.all(Array.from({ length: 50 }, () => leaveHalfSent(world(), BYTES)));
    t.after(() => halfSent.map((socket) => socket.destroy()));
    const calls = Array.from({ length: 200 }, (_, n) =>
      sendText(world(), "app_bot", "", { body: BODIES[n % BODIES.length] }),
    );
    const answers = await Promise.all(calls);
    // There may be no room for so many large bodies at a time.
    for (const { status, text } of answers) assert.ok([200, 400, 429].includes(status), text);
    assert.equal((await send(`${world().url}/healthz`)).status, 200);

    const grownBy = Math.round(growth() / MB);
    t.diagnostic(`grew by ${grownBy} MB at most, the callers' side included`);
    assert.ok(grownBy < 200, `${grownBy} MB`);
  });

  test("calls of 500 unknown applications with ids of 15 KB leave little memory in use", async () => {
    const callAs = (n: number) =>
      call(world(), "app_bot", {
        target: MESSAGES,
        method: "POST",
        headers: { "X-Open-App-Id": `${n}${"x".repeat(15_000)}` },
      });
    for (let n = 0; n < 50; n++) assertRefused(await callAs(n), 401, "400001");
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let n = 50; n < 550; n++) assertRefused(await callAs(n), 401, "400001");
    collectGarbage();
    const grownBy = (process.memoryUsage().heapUsed - before) / MB;
    assert.ok(grownBy < 3, `the heap grew by ${grownBy} MB`);
  });

  test("connections that are idle after a call take hardly more memory than those without any", async (t) => {
    const { hostname, port } = new URL(world().url);
    const open = async (text: string) => {
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      for (let n = 0; n < 1_000; n++) {
        const socket = connect(Number(port), hostname).resume();
        t.after(() => socket.destroy());
        await once(socket, "connect");
        if (text === "") continue;
        socket.write(text);
        await once(socket, "data");
      }
      collectGarbage();
      return (process.memoryUsage().heapUsed - before) / 1_000;
    };
    const call = "GET /healthz HTTP/1.1\r\nHost: portico\r\n\r\n";
    await open(call);
    const [without, after] = [await open(""), await open(call)];
    t.diagnostic(`${Math.round(without)} bytes without a call, ${Math.round(after)} after one`);
    // A call that is kept takes several thousand.
    assert.ok(after < without + 2_000, `${Math.round(after - without)} bytes more`);
  });
  test("after all these tests the service works normally", async () => {
    await assertUnharmed(world(), "app_bot");
  });
});
