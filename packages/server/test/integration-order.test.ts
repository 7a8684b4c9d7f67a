import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { RequestExplanation } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { verifyWebhook } from "@portico/sdk";
import type { ProvisioningFile } from "../src/domain/provisioning/schema.ts";
import { APPS, INSTALLATIONS, MESSAGES } from "./support/acme.ts";
import { CONSOLE } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, type Credentials, send, sendSigned } from "./support/http.ts";
import { startReceiver } from "./support/receiver.ts";
import { LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const TENANT = "t_acme";
const developer = { phone: "13800000000", password: "developer's password", channelId: 1 };
const operator = { phone: "13800000001", password: "operator's password", channelId: 1 };
const alice = { tenantId: TENANT, username: "alice", password: "alice's password" };
const bob = { tenantId: TENANT, username: "bob", password: "bob's password" };

/** Members and their group, without an application. */
const people: ProvisioningFile = {
  tenants: [{ id: TENANT, name: "Acme" }],
  members: [
    { tenant: TENANT, userId: "u_alice", username: "alice", name: "Alice", password: alice.password },
    { tenant: TENANT, userId: "u_bob", username: "bob", name: "Bob", password: bob.password },
  ],
  groups: [{ id: "g_team", tenant: TENANT, name: "Team", members: ["alice", "bob"] }],
  developers: [
    { ...developer, name: "Dev", tenants: [TENANT] },
    { ...operator, name: "Operator", tenants: [], operator: true },
  ],
};

const SCOPES = ["bot.installation.read", "bot.message.send", "bot.message.reply", "event.bot.message"];
const EVENT = "im.message.receive_v1";

/** Makes calls with a Bearer token and an optional JSON body. */
function signedIn(base: string, token: string, others: Record<string, string> = {}) {
  return (method: string, path: string, body?: unknown): Promise<Answer> => {
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const headers = { authorization: `Bearer ${token}`, ...type, ...others };
    return send(`${base}/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  };
}

function logIn(url: string, account: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  return send(url, { method: "POST", headers, body: JSON.stringify(account) });
}

/** The answer of a call that must succeed. */
async function ok(answer: Promise<Answer>) {
  const { status, json, text } = await answer;
  assert.equal(status, 200, text);
  if ("code" in json) assert.equal(json.code, "000000", text);
  return json;
}

onBothEngines("the bot integration order of the contract, by HTTP calls alone", (engine, test) => {
  const world = suiteWorld(engine, people, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);
  const console = async (account: unknown) => {
    const { accessToken } = await ok(logIn(`${world().url}${CONSOLE}/auth/login`, account));
    return signedIn(`${world().url}${CONSOLE}`, accessToken, { "x-open-tenant-id": TENANT });
  };
  const messenger = async (account: unknown) => {
    const base = `${world().url}/api/client/v1`;
    return signedIn(base, (await ok(logIn(`${base}/auth/login`, account))).value.accessToken);
  };
  const as = (credentials: Credentials) => (method: string, target: string, body?: unknown) =>
    sendSigned(world().url, credentials, {
      method,
      target,
      timestamp: Date.now(),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  test("from a login in the console to a reply that a member reads", async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());

    // (1) Create a BOT application and store appId, credentialId and appSecret.
    const asDeveloper = await console(developer);
    const created = await ok(asDeveloper("POST", "apps", { type: "BOT", displayName: "Bot" }));
    const { appId, credentialId, appSecret } = created;
    assert.match(credentialId, /^cred_/);
    assert.equal(created.status, "UNPUBLISHED");
    const call = as({ appId, credentialId, appSecret });

    // (2) Configure the profile and request the scopes.
    const profile = { displayName: "Build bot", avatar: "https://example.com/bot.png" };
    const edited = await ok(asDeveloper("PATCH", `apps/${appId}`, profile));
    assert.deepEqual({ displayName: edited.displayName, avatar: edited.avatar }, profile);
    const asked: { scope: string; state: string }[] = await ok(
      asDeveloper("POST", `apps/${appId}/scopes`, { scopes: SCOPES }),
    );
    const states = Object.fromEntries(asked.map(({ scope, state }) => [scope, state]));
    assert.deepEqual(
      SCOPES.map((scope) => states[scope]),
      ["GRANTED", "REQUESTED", "REQUESTED", "REQUESTED"],
    );

    // (3) Subscribe with a callback address, which returns the secret once.
    const callbackUrl = receiver.url("/portico");
    const subscribed = await ok(asDeveloper("PUT", `apps/${appId}/subscriptions/${EVENT}`, { callbackUrl }));
    assert.deepEqual(Object.keys(subscribed).sort(), ["credentialId", "secret"]);
    assert.equal(subscribed.credentialId, EVENT);
    const { secret } = subscribed;
    assert.match(secret, /^[\w-]{43}$/);
    const verified = await ok(asDeveloper("POST", `apps/${appId}/subscriptions/${EVENT}/verify`));
    assert.equal(verified.value, true);
    const [verification] = receiver.requests.splice(0);
    assert.equal(JSON.parse(String(verification?.body)).type, "url_verification");
    const listed = await asDeveloper("GET", `apps/${appId}/subscriptions`);
    assert.deepEqual([listed.json[0].callbackUrl, listed.json[0].status], [callbackUrl, "ACTIVE"]);
    assert.ok(!listed.text.includes(secret));

    // (4) Submit the application and wait for the approval.
    assert.equal((await ok(asDeveloper("POST", `apps/${appId}/submit`))).status, "IN_REVIEW");
    const early = await call("GET", APPS);
    assert.deepEqual([early.status, early.json.code, early.json.value], [403, "400005", null]);
    const asOperator = await console(operator);
    const { items: reviews } = await ok(asOperator("GET", "operator/reviews"));
    assert.deepEqual(
      reviews.map(({ app }: { app: { appId: string } }) => app.appId),
      [appId],
    );
    assert.equal((await ok(asOperator("POST", `operator/reviews/${appId}/approve`))).status, "ACTIVE");
    assert.equal((await ok(asDeveloper("GET", `apps/${appId}`))).status, "ACTIVE");

    // (5) Install the bot to a conversation and read receiveId from the installations endpoint.
    const { items: none } = (await ok(call("GET", INSTALLATIONS))).value;
    assert.deepEqual(none, []);
    assert.deepEqual(await ok(asDeveloper("GET", `apps/${appId}/bot-installation-members`)), [
      { username: "alice", name: "Alice" },
      { username: "bob", name: "Bob" },
    ]);
    await ok(asDeveloper("POST", `apps/${appId}/bot-installations`, { username: "alice" }));
    const asBob = await messenger(bob);
    const { items: bots } = (await ok(asBob("GET", "bots"))).value;
    assert.deepEqual([bots.length, bots[0].appId, bots[0].displayName], [1, appId, profile.displayName]);
    await ok(asBob("POST", "installations", { appId, targetType: "GROUP", targetId: "g_team" }));
    const { items: active } = (await ok(call("GET", `${INSTALLATIONS}?status=ACTIVE`))).value;
    const places = active.map(({ targetType, targetId }: Record<string, string>) => `${targetType} ${targetId}`);
    assert.deepEqual(places.sort(), ["GROUP g_team", "USER u_alice"]);
    const { items: groups } = (await ok(call("GET", `${INSTALLATIONS}?targetType=GROUP&status=ACTIVE`))).value;
    const receiveId: string = groups[0].targetId;

    // (6) Send with the send endpoint ...
    const text = { receiveIdType: "group_id", receiveId, msgType: "text", content: { text: "Build 7 passed" } };
    const sent = (await ok(call("POST", MESSAGES, text))).value;
    assert.equal(sent.duplicate, false);
    const direct = { ...text, receiveIdType: "user_id", receiveId: "u_alice" };
    await ok(call("POST", MESSAGES, direct));

    // ... or answer inbound messages with the reply endpoint.
    const group = "conversations/group:g_team/messages";
    const asAlice = await messenger(alice);
    const question = { msgType: "text", content: { text: "And build 8?", mentions: [appId] } };
    const asking = (await ok(asAlice("POST", group, question))).value;
    await until(() => receiver.requests.length > 0, "the receiver has the event");
    const [delivery] = receiver.requests;
    assert.ok(delivery !== undefined);
    const event = verifyWebhook({ headers: delivery.headers, body: delivery.body, secret });
    assert.ok(event.eventType === EVENT);
    const { messageId, chatId, receiveIdType } = event.message;
    assert.deepEqual([messageId, chatId, receiveIdType], [asking.messageId, receiveId, "group_id"]);
    assert.deepEqual([event.appId, event.sender.username], [appId, "alice"]);

    const answer = { receiveIdType, receiveId: chatId, msgType: "text", content: { text: "Still running" } };
    const replied = (await ok(call("POST", `${MESSAGES}/${messageId}/reply`, answer))).value;
    const { items: history } = (await ok(asBob("GET", group))).value;
    assert.deepEqual(
      history.map((message: { messageId: number; content: { text: string }; parentMessageId: number | null }) => [
        message.messageId,
        message.content.text,
        message.parentMessageId,
      ]),
      [
        [sent.messageId, "Build 7 passed", null],
        [asking.messageId, "And build 8?", null],
        [replied.messageId, "Still running", messageId],
      ],
    );
    assert.deepEqual(history[2].sender, { type: "BOT", id: appId, name: profile.displayName });

    // A refused call is explained by its reqNo.
    const [timestamp, nonce, body] = [Date.now(), randomUUID(), JSON.stringify(text)];
    const credentials = { appId, credentialId, appSecret };
    const sending = { target: MESSAGES, method: "POST", timestamp, nonce, body };
    const wrong = await sendSigned(world().url, credentials, { ...sending, signedBody: "" });
    assert.deepEqual([wrong.status, wrong.json.code, wrong.json.value], [401, "400001", null]);
    const explained = () => asDeveloper("GET", `apps/${appId}/requests/${wrong.json.reqNo}`);
    await until(async () => (await explained()).status !== 404, "the call is in the request log");
    const explanation: RequestExplanation = (await explained()).json;
    assert.deepEqual([explanation.check, explanation.status, explanation.code], ["signature", 401, "400001"]);
    const right = signRequest({ ...credentials, ...sending, path: MESSAGES, rawQuery: "" });
    assert.equal(explanation.canonicalString, right.canonicalString);
    assert.deepEqual(explanation.hints, ["Line 8 was signed as the hash of an empty body although a body was sent."]);
    const shown = JSON.stringify(explanation);
    for (const kept of [appSecret, right.signature]) assert.ok(!shown.includes(kept));
  });
});
