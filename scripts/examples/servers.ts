import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { before, test } from "node:test";
import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { signWebhook } from "@portico/protocol/signature";
import { MemberClient } from "../../packages/server/test/support/member.ts";
import { until } from "../../packages/server/test/support/webhooks.ts";
import { onPath } from "../../packages/web/test/support/browser.ts";
import type { InstalledExamples } from "./support/installed-examples.ts";

/** Where an example listens that was told to choose a port. */
const PORT_0 = { PORT: "0" };
const LISTENING = /^listening on (\d+)$/m;

const SECRET = "a-secret-of-this-machine";

/** The tests of the examples that are servers. */
export function testServers(installed: () => InstalledExamples): void {
  let examples: InstalledExamples;
  before(() => {
    examples = installed();
  });

  test("the bridge takes a user's message to the desk once, and the agent's answer back to the site", async () => {
    const app = "app_demo_service";
    await examples.install("customer-service-bridge", app);
    await examples.subscribe(app, "customer.message.created_v1");
    const answers: unknown[] = [];
    // The first answer is not taken: it comes again.
    const site = createServer(async (request, response) => {
      answers.push(await json(request));
      response.writeHead(answers.length === 1 ? 503 : 204).end();
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    const env = { ...PORT_0, SITE_URL: `http://127.0.0.1:${(site.address() as AddressInfo).port}/answers` };
    try {
      await using bridge = examples.start("customer-service-bridge", ["npm", "start"], env);
      const url = `http://127.0.0.1:${(await bridge.writes(LISTENING))[1]}/messages`;
      const message = { userId: "c-77", name: "Ann", messageId: "m-1", text: "Where is my order?" };
      assert.deepEqual(await post(url, message), { status: 200, value: { seq: 1 } });
      assert.deepEqual(await post(url, message), { status: 200, value: { seq: 1 } });
      assert.equal((await post(url, "{")).status, 400);
      assert.equal((await post(url, "x".repeat(70_000))).status, 413);
      await answerAsBob(examples, app, "It left today.");
      await until(() => answers.length === 2, "the site has the answer again");
      assert.partialDeepStrictEqual(answers[1], { userId: "c-77", agent: "bob", text: "It left today." });
      assert.deepEqual(answers[0], answers[1]);
    } finally {
      site.close();
      site.closeAllConnections();
    }
  });

  test("the mini-program's server makes a session of a code, once", async () => {
    await examples.install("mini-program-login", "app_demo_mini");
    await using server = examples.start("mini-program-login", ["npm", "start"], PORT_0);
    const url = `http://127.0.0.1:${(await server.writes(LISTENING))[1]}`;
    const { code } = await examples.alice.api.createMiniappCode({ body: { appId: "app_demo_mini" } });
    const { status, value } = await post(`${url}/login`, { code });
    assert.equal(status, 200);
    const me = await fetch(`${url}/me`, { headers: { Authorization: `Bearer ${value.token}` } });
    assert.match(JSON.stringify(await me.json()), /^\{"openId":"[^"]+"\}$/);
    assert.equal((await post(`${url}/login`, { code })).status, 401);
    assert.equal((await post(`${url}/login`, "no JSON")).status, 400);
    assert.equal((await fetch(`${url}/me`, { headers: { Authorization: "Bearer another" } })).status, 401);
  });

  for (const { language, command, needs } of [
    { language: "python", command: ["python3", "receiver.py"], needs: "python3" },
    { language: "go", command: ["go", "run", "."], needs: "go" },
  ] as const) {
    const skip = onPath(needs) === null && `no ${needs} on this machine`;
    test(`the receiver in ${language} takes what is genuine, once, and refuses the rest`, { skip }, async () => {
      const env = { ...PORT_0, PORTICO_WEBHOOK_SECRET: SECRET };
      await using receiver = examples.start(`webhook-receiver-${language}`, command, env);
      const url = `http://127.0.0.1:${(await receiver.writes(LISTENING))[1]}/webhook`;
      const asked = { type: "url_verification", challenge: "c-1" };
      assert.deepEqual(await post(url, asked), { status: 200, value: { challenge: "c-1" } });
      assert.equal((await post(url, { eventId: "evt_1" })).status, 401);
      assert.equal((await post(url, "[]")).status, 401);
      const body = JSON.stringify({ eventId: "evt_1", text: "构建 ✓" });
      const signed = (secret: string, at: number) => ({
        "X-Open-Event-Id": "evt_1",
        "X-Open-Timestamp": String(at),
        "X-Open-Signature": signWebhook(secret, "evt_1", at, Buffer.from(body)),
      });
      assert.equal((await post(url, body, signed("another", Date.now()))).status, 425);
      assert.equal((await post(url, body, signed(SECRET, Date.now() - 400_000))).status, 425);
      assert.equal((await post(url, body, { ...signed(SECRET, Date.now()), "X-Open-Timestamp": "x" })).status, 425);
      assert.equal((await post(url, body, signed(SECRET, Date.now()))).status, 204);
      assert.equal((await post(url, body, signed(SECRET, Date.now()))).status, 204);
      // Who refuses a body by its length may end the connection while it is still sent.
      const tooLong = await post(url, "x".repeat(2_000_000)).catch(() => null);
      assert.ok(tooLong === null || tooLong.status === 413);
      assert.equal((await post(url, "[]")).status, 401);
      assert.equal(receiver.output.split("evt_1").length, 2, "it was handled once");
      await forwarded(examples, url);
      await receiver.writes(/"text": ?"hello receiver"/);
    });
  }
}

/** Takes the first waiting session at the desk, and writes to its visitor. */
async function answerAsBob({ service, demo }: InstalledExamples, appId: string, content: string): Promise<void> {
  const { baseUrl } = service;
  const bob = demo.provision.members.find(({ username }) => username === "bob") ?? assert.fail("no bob");
  const { token } = await MemberClient.signIn({ url: baseUrl }, { tenantId: "t_demo", ...bob });
  const desk = createApiClient(DESK_ENDPOINTS, bearerExchange({ baseUrl, token }));
  const { items } = await desk.listSessions({ params: { appId }, query: { status: "QUEUED" } });
  const [session] = items;
  assert.equal(items.length, 1);
  const params = { appId, sessionId: String(session?.sessionId) };
  await desk.acceptSession({ params });
  await desk.postMessage({ params, body: { msgType: "text", content } });
}

/** Has `portico listen` forward an event of the service to the receiver. */
async function forwarded({ service, alice }: InstalledExamples, url: string): Promise<void> {
  const listening = service.start([
    ...["listen", "--event", "im.message.receive_v1", "--forward", url, "--secret", SECRET],
  ]);
  const ended = once(listening, "close");
  try {
    await new Promise<void>((resolve) => {
      listening.stderr.on("data", (text) => String(text).includes("listening to") && resolve());
    });
    const shown = once(listening.stdout, "data");
    const body = { msgType: "text", content: { text: "hello receiver" } };
    await alice.api.postMessage({ params: { conversationId: "bot:app_demo_bot" }, body });
    assert.match(String(await shown), / {2}204 {2}/);
  } finally {
    listening.kill("SIGINT");
    await ended;
  }
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(url, { method: "POST", body: text, headers });
  const answered = await answer.text();
  return { status: answer.status, value: answered.startsWith("{") ? JSON.parse(answered) : answered };
}
