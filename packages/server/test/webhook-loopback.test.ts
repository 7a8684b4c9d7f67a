import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { assertConsoleRefused, ConsoleClient, consoleAcme, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { resolverOf } from "./support/receiver.ts";
import { deliveriesOf, untilAll } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const MESSAGE = "im.message.receive_v1";
const NAMES = { localhost: ["127.0.0.1"], "receiver.test": ["127.0.0.1"], "public.test": ["93.184.216.34"] };
const network = { lookup: resolverOf(NAMES) };
const subscription = (appId: string) => `apps/${appId}/subscriptions/${MESSAGE}`;

/** A receiver without TLS on this machine. */
async function plainReceiver(t: TestContext) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { bodies, port: (server.address() as AddressInfo).port };
}

onBothEngines("callbacks of this machine, where they are allowed", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(ownedApp("app_localhost"), ownedApp("app_127.0.0.1"), ownedApp("app_bot")),
    { PORTICO_WEBHOOK_ALLOW_LOOPBACK: "true" },
    network,
  );

  for (const host of ["localhost", "127.0.0.1"]) {
    test(`http://${host} is verified, and gets its events`, async (t) => {
      const { bodies, port } = await plainReceiver(t);
      const client = await ConsoleClient.logIn(world());
      const appId = `app_${host}`;
      await client.ok("PUT", subscription(appId), { callbackUrl: `http://${host}:${port}/hook` });
      const { value, attempt } = await client.ok("POST", `${subscription(appId)}/verify`);
      assert.deepEqual([value, attempt.address, attempt.phases.tlsMs], [true, "127.0.0.1", null]);
      const { eventId } = await client.ok("POST", `apps/${appId}/events/${MESSAGE}/trigger`);
      await untilAll(world(), appId, "DELIVERED");
      assert.deepEqual(
        (await deliveriesOf(world(), appId)).map(({ event_id }) => event_id),
        [eventId],
      );
      assert.equal(JSON.parse(bodies[1] ?? "").eventId, eventId);
    });
  }
  for (const callbackUrl of [
    "http://receiver.test/",
    "https://receiver.test/",
    "http://public.test/",
    "http://127.0.0.2/",
    "https://127.0.0.2/",
    "http://localhost.receiver.test/",
    "http://user@localhost/",
    "http://10.0.0.1/",
    "http:localhost/",
  ]) {
    test(`${callbackUrl} is still refused`, async () => {
      const client = await ConsoleClient.logIn(world());
      assertConsoleRefused(await client.call("PUT", subscription("app_bot"), { callbackUrl }), 400);
    });
  }
});

onBothEngines("callbacks of this machine, where nothing is said of them", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(ownedApp("app_bot")), {}, network);
  for (const callbackUrl of [
    "http://localhost:3000/",
    "http://127.0.0.1:3000/",
    "https://localhost/",
    "http://bot.localhost:3000/",
    "http://[::1]:3000/",
    "http://0x7f.1:3000/",
    "http://0.0.0.0:3000/",
  ]) {
    test(`${callbackUrl} is refused, with the ways out`, async () => {
      const client = await ConsoleClient.logIn(world());
      const refused = await client.call("PUT", subscription("app_bot"), { callbackUrl });
      assertConsoleRefused(refused, 400);
      for (const way of ["portico listen --forward", "SOCKET", "webhook.allowLoopback"])
        assert.ok(refused.json.message.includes(way), refused.text);
    });
  }
  for (const [callbackUrl, message] of [
    ["http://public.test/", "回调地址必须以https://开头"],
    ["https://receiver.test/", "域名receiver.test解析到了非公网地址"],
    ["http://user@10.0.0.1/", "回调地址必须以https://开头"],
  ] as const) {
    test(`${callbackUrl} is refused for what it is`, async () => {
      const client = await ConsoleClient.logIn(world());
      const refused = await client.call("PUT", subscription("app_bot"), { callbackUrl });
      assertConsoleRefused(refused, 400);
      assert.equal(refused.json.message, message);
    });
  }
});
