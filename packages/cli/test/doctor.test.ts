import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createWorkspace } from "./portico.ts";
import { startWebhookWorld } from "./webhook-world.ts";

const APP = "app_demo_bot";
const TYPE = "im.message.receive_v1";

test("doctor finds a service, clock, login, credential and subscriptions that are well, and what is not", async () => {
  await using world = await startWebhookWorld();
  const { service } = world;
  const well = await service.portico(["doctor"]);
  assert.equal(well.code, 0, well.stdout + well.stderr);
  const states = well.stdout.split("\n").filter((line) => /^\S/.test(line));
  assert.deepEqual(
    states.map((line) => line.split(/ +/).slice(0, 2).join(" ")),
    ["ok service", "ok clock", "ok login", "- events", "ok credential"],
  );
  assert.match(well.stdout, /^ {19}`portico subscribe app_demo_bot EVENT_TYPE URL` subscribes\.$/m);

  await service.portico(["subscribe", APP, TYPE, world.url]);
  await service.portico(["subscribe", APP, "card.interaction", "--socket"]);
  const { code, stdout } = await service.portico(["doctor", "--json"]);
  assert.equal(code, 1, "no bot is connected");
  const events = JSON.parse(stdout).filter(({ check }: { check: string }) => check === "events");
  assert.deepEqual(events.map(({ state }: { state: string }) => state).toSorted(), ["fault", "ok"]);
  const unconnected = events.find(({ state }: { state: string }) => state === "fault");
  assert.match(unconnected.detail, /^card\.interaction does not reach a socket: no-connection$/);
  assert.equal(unconnected.advice.length, 1);

  const { cli } = JSON.parse(await service.read("data/demo.json"));
  await service.write("wrong.json", JSON.stringify({ ...cli, appSecret: "another" }));
  const wrong = await service.portico(["doctor", "--app-profile", "wrong.json"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /^FAULT {2}credential {2}refused: 400001/m);
  assert.match(wrong.stdout, /Check app id, credential id and secret, and this machine's clock/);
});

test("a service that does not answer, or is none, is told of before all else", async () => {
  await using workspace = await createWorkspace();
  const silent = await workspace.portico(["doctor", "--base-url", "http://127.0.0.1:9"]);
  assert.equal(silent.code, 1);
  assert.match(
    silent.stdout,
    /^FAULT {2}service {5}http:\/\/127\.0\.0\.1:9 does not answer: .*\n {19}Is the service running\?.*\n$/,
  );

  const other = createServer((_request, response) => void response.writeHead(404).end());
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const strange = await workspace.portico(["doctor", "--base-url", `http://127.0.0.1:${port}`]);
  other.closeAllConnections();
  other.close();
  assert.equal(strange.code, 1);
  assert.match(strange.stdout, /healthz answers 404\n {19}Something answers there, but not as the service does/);
});

test("a clock that is off is told of, and that nobody is signed in is no fault", async () => {
  await using workspace = await createWorkspace();
  const dated = (aheadMs: number) =>
    createServer((_request, response) => {
      response.sendDate = false;
      response.writeHead(200, { Date: new Date(Date.now() - aheadMs).toUTCString() }).end();
    });
  for (const [aheadMs, expected] of [
    [400_000, /^this machine's is (399|400|401) s ahead of that of the service$/],
    [-60_000, /^this machine's is (59|60|61) s behind that of the service$/],
  ] as const) {
    const server = dated(aheadMs);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { code, stdout } = await workspace.portico(["doctor", "--json", "--base-url", `http://127.0.0.1:${port}`]);
    server.closeAllConnections();
    server.close();
    assert.equal(code, 1);
    const [service, clock, login, credential] = JSON.parse(stdout);
    assert.deepEqual([service.state, clock.state, login.state, credential.state], ["ok", "fault", "none", "none"]);
    assert.match(clock.detail, expected);
  }
});
