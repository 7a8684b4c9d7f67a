import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MemberClient } from "../../packages/server/test/support/member.ts";
import { until } from "../../packages/server/test/support/webhooks.ts";
import { makeMachine } from "./support/machine.ts";
import { terminalsOf } from "./support/terminals.ts";

test("the quickstart of a bot leads from a clone to a bot that answers a mention, by its commands alone", async () => {
  await using machine = await makeMachine();
  const [service, bot, reader, ...others] = terminalsOf("quickstart-bot");
  assert.deepEqual(others, []);
  await using serving = machine.type(service ?? "");
  await serving.writes(/Portico is up at/);
  await using answering = machine.type(bot ?? "");
  await answering.writes(/^listening$/m);
  const { member } = JSON.parse(readFileSync(join(machine.clone, "data/demo.json"), "utf8"));
  const alice = await MemberClient.signIn(machine, member);
  await alice.api.postMessage({
    params: { conversationId: "group:g_demo" },
    body: { msgType: "text", content: { text: "@Demo bot hello", mentions: ["app_demo_bot"] } },
  });
  await until(async () => (await alice.history("group:g_demo")).length === 2, "the bot has answered");
  await using reading = machine.type(reader ?? "");
  await reading.writes(/^Demo bot: You said: @Demo bot hello$/m);
});

test("the quickstart of an operator leads from a clone to a service with a reviewed application", async () => {
  await using machine = await makeMachine();
  const [service, review, ...others] = terminalsOf("quickstart-operator");
  assert.deepEqual(others, []);
  await using serving = machine.type(service ?? "");
  await serving.writes(/Portico is up at \S+ \(SQLite, production\)/);
  await using reviewing = machine.type(review ?? "");
  await reviewing.writes(/^scopes .*bot\.message\.send/m);
  const { members } = JSON.parse(readFileSync(join(machine.clone, "my-portico/world.json"), "utf8"));
  const [{ username, password }] = members;
  const alice = await MemberClient.signIn(machine, { tenantId: "t_acme", username, password });
  const { items } = await alice.api.listBots();
  assert.deepEqual(
    items.map(({ displayName }) => displayName),
    ["Build bot"],
  );
});
