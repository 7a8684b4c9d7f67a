import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { MemberClient } from "../../server/test/support/member.ts";
import { answerJson, startConsole } from "./console-service.ts";
import { startDemoService } from "./demo-service.ts";
import { createWorkspace, type Workspace } from "./portico.ts";

const APP = "app_demo_bot";
const DELIVERY = {
  eventType: "card.interaction",
  status: "DELIVERED",
  attemptCount: 1,
  nextAttemptAt: null,
  lastStatus: 200,
  lastReason: null,
};
const delivery = (n: number) => ({ ...DELIVERY, eventId: `evt_${n}`, createdAt: n });
const pageOf = (...items: object[]) => ({ items, total: items.length, page: 1, pageSize: 100 });

/** Starts a command in a process of its own. */
function start(workspace: Workspace, args: string[]) {
  const child = workspace.start(args);
  const output = createInterface(child.stdout)[Symbol.asyncIterator]();
  const complaints = createInterface(child.stderr)[Symbol.asyncIterator]();
  const ended = once(child, "close");
  return {
    line: async () => String((await output.next()).value),
    complaint: async () => String((await complaints.next()).value),
    async interrupt(signal: NodeJS.Signals = "SIGINT") {
      child.kill(signal);
      await ended;
      return [child.exitCode, child.signalCode];
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

test("requests --follow shows the calls that come, of the service as it is, and Ctrl-C ends it with 0", async () => {
  await using service = await startDemoService();
  await service.portico(["send", "--to", "group:g_demo", "before"]);
  await using following = start(service, ["requests", APP, "--follow", "--method", "POST"]);
  assert.equal(await following.complaint(), "following; Ctrl-C ends it");
  await service.portico(["installations"]);
  await service.portico(["send", "--to", "group:g_demo", "after"]);
  await service.portico(["send", "--to", "group:g_none", "refused"]);
  assert.match(await following.line(), /^20\S+Z {2}\S+ {2}200 000000 {2}\d+ {2}POST \/api\/open\/v2\/bot\/messages$/);
  assert.match(await following.line(), / {2}403 400008 {2}/);
  assert.deepEqual(await following.interrupt(), [0, null]);
});

test("deliveries --follow shows what comes, and SIGTERM ends it with 0", async () => {
  await using service = await startDemoService();
  const { member } = JSON.parse(await service.read("data/demo.json"));
  await using following = start(service, ["deliveries", APP, "--follow", "--json"]);
  assert.equal(await following.complaint(), "following; Ctrl-C ends it");
  const alice = await MemberClient.signIn({ url: service.baseUrl }, member);
  await alice.post(`conversations/bot:${APP}/messages`, { msgType: "text", content: { text: "hi" } });
  const shown = JSON.parse(await following.line());
  assert.deepEqual([shown.eventType, shown.status], ["im.message.receive_v1", "DROPPED"]);
  assert.deepEqual(await following.interrupt("SIGTERM"), [0, null]);
});

test("a lost connection is told of and sought again, and what came meanwhile is shown", async () => {
  await using workspace = await createWorkspace();
  await using console = await startConsole((response, index) => {
    if (index === 1 || index === 2) return void response.destroy();
    answerJson(response, 200, index === 0 ? pageOf(delivery(1)) : pageOf(delivery(3), delivery(2), delivery(1)));
  });
  await using following = start(workspace, ["deliveries", "app_1", "--follow", ...console.options]);
  assert.equal(await following.complaint(), "following; Ctrl-C ends it");
  assert.equal(await following.complaint(), "the connection is lost; trying to connect again, Ctrl-C ends it");
  for (const n of [2, 3])
    assert.match(await following.line(), new RegExp(`evt_${n}  card\\.interaction  DELIVERED  1  200$`));
  assert.equal(await following.complaint(), "connected again");
  assert.deepEqual(await following.interrupt(), [0, null]);
  assert.equal(console.logouts().length, 1);
});

test("what will not pass by itself ends it with 1", async () => {
  await using workspace = await createWorkspace();
  await using console = await startConsole((response) =>
    answerJson(response, 404, { status: 404, error: "Not Found", message: "x" }),
  );
  const { code, stderr } = await workspace.porticoAlone(["deliveries", "app_1", "--follow", ...console.options]);
  assert.equal(code, 1);
  assert.match(stderr, /^refused: 404 Not Found/m);
});
