import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { MemberClient } from "../../packages/server/test/support/member.ts";
import { until } from "../../packages/server/test/support/webhooks.ts";
import { BROWSER_PATH, launchBrowser } from "../../packages/web/test/support/browser.ts";
import { signInToMessenger } from "../../packages/web/test/support/sign-in.ts";
import { makeMachine } from "./support/machine.ts";
import { terminalsOf } from "./support/terminals.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../examples");

test("the quickstart of a bot leads from a clone to a bot that answers a mention, by its commands alone", async () => {
  await using machine = await makeMachine();
  const [service, bot, reader, ...others] = terminalsOf("quickstart-bot");
  assert.deepEqual(others, []);
  await using serving = machine.type(service ?? "");
  await serving.writes(/Portico is up at/);
  const answering = machine.type(bot ?? "");
  await answering.writes(/^listening$/m);
  const { member } = JSON.parse(readFileSync(join(machine.clone, "data/demo.json"), "utf8"));
  if (BROWSER_PATH !== null) await mentionInMessenger(machine.url, member);
  await using reading = machine.type(reader ?? "");
  await reading.writes(/^Alice: @Demo bot hello$/m);
  const alice = await MemberClient.signIn(machine, member);
  const texts = async () => (await alice.history("group:g_demo")).map(({ content }) => JSON.stringify(content));
  await until(async () => (await texts()).includes('{"text":"You said: hello"}'), "the bot has answered");
  await answering[Symbol.asyncDispose]();

  // The shortest example, in the same clone, by the commands of its README alone.
  const [example, mention, ...more] = terminalsOf("../examples/echo-bot/README");
  assert.deepEqual(more, []);
  const before = (await texts()).length;
  await using echoing = machine.type(`cd examples/echo-bot\n${example}`);
  await echoing.writes(/^listening$/m);
  await using mentioning = machine.type(`cd examples/echo-bot\n${mention}`);
  await mentioning.writes(/^Alice: @Demo bot hello$/m);
  await until(async () => (await texts()).length >= before + 2, "the example has answered");
});

for (const name of readdirSync(EXAMPLES)) {
  const readme = join(EXAMPLES, name, "README.md");
  if (!existsSync(readme) || !readFileSync(readme, "utf8").includes("npm install")) continue;
  test(`the commands of examples/${name} begin and end in its folder, and make the tarball that it installs`, () => {
    const [first = ""] = terminalsOf(`../examples/${name}/README`);
    const lines = first.trimEnd().split("\n");
    assert.deepEqual(lines.slice(0, 2), ["cd ../..", "npm pack -w @portico/sdk --pack-destination examples"]);
    const inside = lines.indexOf(`cd examples/${name}`);
    assert.ok(inside >= 2 && lines[inside + 1] === "npm install", first);
    assert.ok(lines.slice(2, inside).every((line) => line.startsWith("npx portico ")));
  });
}

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

/** Does what the guide says of the messenger, where there is a browser. */
async function mentionInMessenger(url: string, member: { username: string; password: string }): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ baseURL: url.replace("127.0.0.1", "localhost"), locale: "en-US" });
    await signInToMessenger(page, member);
    await page.getByRole("link", { name: "Demo group" }).click();
    const field = page.getByRole("textbox", { name: "Message" });
    await field.pressSequentially("@");
    await page.getByRole("option", { name: "Demo bot" }).click();
    await field.pressSequentially("hello, messenger");
    await field.press("Enter");
    await page.getByRole("log").getByText("You said: hello, messenger").waitFor();
  } finally {
    await browser.close();
  }
}
