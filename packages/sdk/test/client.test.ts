import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  ApiRefusedError,
  card,
  hr,
  type OutgoingMessage,
  PorticoClient,
  type SendMessageRequest,
  TransportError,
} from "@portico/sdk";
import { answer, CREDENTIAL, startService } from "./service.ts";

const SENT = { messageId: 17, msgSeq: 3, clientMessageId: "build-128", duplicate: false };
const TEXT: SendMessageRequest = {
  receiveIdType: "group_id",
  receiveId: "g_team",
  msgType: "text",
  content: { text: "构建 #128 完成", mentions: ["alice", { userId: "u_bob" }] },
};

test("a text message is sent signed, as JSON, and its ids come back", async () => {
  await using service = await startService((response) => answer(response, 200, "000000", SENT));
  const client = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl, clock: () => 1767225600000 });

  assert.deepEqual(await client.bot.sendMessage({ ...TEXT, clientMessageId: "build-128" }), SENT);

  const [request] = service.requests;
  assert.equal(request?.signatureMatches, true);
  assert.equal(`${request?.method} ${request?.url}`, "POST /api/open/v2/bot/messages");
  assert.equal(request?.headers["content-type"], "application/json");
  assert.equal(request?.headers["x-open-timestamp"], "1767225600000");
  assert.deepEqual(JSON.parse(request?.body ?? ""), { ...TEXT, clientMessageId: "build-128" });
});

test("each message without clientMessageId gets a new one", async () => {
  await using service = await startService((response) => answer(response, 200, "000000", SENT));
  const client = new PorticoClient({ ...CREDENTIAL, baseUrl: `${service.baseUrl}/` });
  await client.bot.sendMessage(TEXT);
  await client.bot.sendMessage(TEXT);

  const ids = service.requests.map((request) => JSON.parse(request.body).clientMessageId);
  assert.match(ids[0], /^[0-9a-f-]{36}$/);
  assert.notEqual(ids[0], ids[1]);
});

test("each type of message is sent with content of that type", async () => {
  await using service = await startService((response) => answer(response, 200, "000000", SENT));
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });
  const messages: OutgoingMessage[] = [
    { msgType: "post", content: { title: "Notes", rows: [1.5, null], mentions: ["alice"] } },
    { msgType: "card", content: { card: card({ elements: [hr()] }) } },
    { msgType: "card", content: { cardId: "tpl_1", mentions: [{ userId: "u_bob" }] } },
    { msgType: "image", content: { fileKey: "file_1", width: 640, height: 480 } },
    { msgType: "file", content: { fileKey: "file_2" } },
  ];
  for (const message of messages) await bot.sendMessage({ receiveIdType: "user_id", receiveId: "u_1", ...message });

  const sent = service.requests.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    sent.map(({ msgType, content }) => ({ msgType, content })),
    messages,
  );
});

test("content that does not match the message type is a type error", () => {
  const messages: OutgoingMessage[] = [
    // @ts-expect-error: an image needs its size.
    { msgType: "image", content: { fileKey: "file_1" } },
    // @ts-expect-error: a card is either written out or made from a template.
    { msgType: "card", content: { cardId: "tpl_1", card: card({ elements: [] }) } },
    // @ts-expect-error: a file is named by its fileKey.
    { msgType: "file", content: { text: "hello" } },
    // @ts-expect-error: there is no such type.
    { msgType: "sticker", content: {} },
  ];
  assert.equal(messages.length, 4);
});

test("a reply goes to the message that it answers, with a message id of its own", async () => {
  await using service = await startService((response) => answer(response, 200, "000000", SENT));
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });
  assert.deepEqual(await bot.reply({ ...TEXT, messageId: 5 }), SENT);
  await bot.reply({ ...TEXT, messageId: 5, clientMessageId: "build-128" });

  const [first, second] = service.requests;
  assert.equal(`${first?.method} ${first?.url}`, "POST /api/open/v2/bot/messages/5/reply");
  const { clientMessageId, ...body } = JSON.parse(first?.body ?? "");
  assert.deepEqual(body, TEXT);
  assert.match(clientMessageId, /^[0-9a-f-]{36}$/);
  assert.equal(JSON.parse(second?.body ?? "").clientMessageId, "build-128");
});

test("a card is updated with and without a version, and recalled", async () => {
  await using service = await startService((response, index) =>
    answer(response, 200, "000000", index < 2 ? { ...SENT, clientMessageId: null } : true),
  );
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });
  const update = { messageId: 17, card: card({ elements: [hr()] }) };
  await bot.updateCard(update);
  await bot.updateCard({ ...update, version: 3 });
  assert.equal(await bot.recallCard(17), true);

  assert.deepEqual(
    service.requests.map(({ method, url, body }) => [method, url, body === "" ? undefined : JSON.parse(body)]),
    [
      ["PUT", "/api/open/v2/bot/messages/17/card", { card: update.card }],
      ["PUT", "/api/open/v2/bot/messages/17/card", { card: update.card, version: 3 }],
      ["DELETE", "/api/open/v2/bot/messages/17/card", undefined],
    ],
  );
});

test("a message id that is not a whole number is refused before sending", async () => {
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: "http://127.0.0.1:1" });
  for (const messageId of [1.5, Number.NaN, Number("1/../2")]) {
    await assert.rejects(bot.recallCard(messageId), { name: "TypeError", message: /messageId/ });
  }
});

test("installations are listed with the filters in a signed query", async () => {
  const items = [{ targetId: "g_team", targetType: "GROUP", status: "ACTIVE", name: "Team", installedAt: 1 }];
  await using service = await startService((response) => answer(response, 200, "000000", { items }));
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });

  assert.deepEqual(await bot.listInstallations({ targetType: "GROUP", status: "ACTIVE" }), items);
  await bot.listInstallations({ status: "UNINSTALLED" });
  await bot.listInstallations();

  assert.deepEqual(
    service.requests.map((request) => [request.url, request.signatureMatches]),
    [
      ["/api/open/v2/bot/installations?targetType=GROUP&status=ACTIVE", true],
      ["/api/open/v2/bot/installations?status=UNINSTALLED", true],
      ["/api/open/v2/bot/installations", true],
    ],
  );
});

test("installations are read page by page, and no further than needed", async () => {
  const item = (targetId: string) => ({ targetId, targetType: "USER", status: "ACTIVE", name: "", installedAt: 1 });
  const pages = [
    { items: [item("a"), item("b")], nextCursor: "Y3Vyc29y" },
    { items: [item("c")], nextCursor: null },
  ];
  await using service = await startService((response) => {
    const { url } = service.requests.at(-1) ?? { url: "" };
    answer(response, 200, "000000", pages[url.includes("cursor=") ? 1 : 0]);
  });
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });

  const all: string[] = [];
  for await (const { targetId } of bot.installations({ status: "ACTIVE" })) all.push(targetId);
  assert.deepEqual(all, ["a", "b", "c"]);
  for await (const { targetId } of bot.installations()) if (targetId === "b") break;
  assert.deepEqual(await bot.listInstallationsPage({ pageSize: 2, targetType: "USER" }), pages[0]);
  assert.deepEqual(
    service.requests.map(({ url }) => url.split("?")[1]),
    [
      "status=ACTIVE&pageSize=1000",
      "status=ACTIVE&pageSize=1000&cursor=Y3Vyc29y",
      "pageSize=1000",
      "targetType=USER&pageSize=2",
    ],
  );
});

test("apps are listed, and connections are kept for further calls", async () => {
  const items = [{ appId: "app_demo", type: "BOT", status: "ACTIVE", displayName: "CI", avatar: "", scopes: [] }];
  await using service = await startService((response) => answer(response, 200, "000000", { items }));
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });

  for (let count = 0; count < 10; count++) assert.deepEqual(await bot.listApps(), items);

  assert.equal(service.requests.length, 10);
  // Not exactly 1: fetch releases a connection shortly after the end of the answer, and the next call may come sooner.
  assert.ok(service.connections() <= 2, `${service.connections()} connections`);
});

test("a refusal carries status, code, message, reqNo and Retry-After", async () => {
  await using service = await startService((response) => {
    response.setHeader("Retry-After", "7");
    answer(response, 403, "400008");
  });
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });

  await assert.rejects(bot.sendMessage(TEXT), (error) => {
    assert.ok(error instanceof ApiRefusedError);
    const { httpStatus, code, message, reqNo, retryAfterSeconds } = error;
    assert.deepEqual([httpStatus, code, message, reqNo], [403, "400008", "message of 400008", "req_1"]);
    assert.equal(retryAfterSeconds, 7);
    return true;
  });
});

test("only the code decides about success, whatever the status and the message are", async () => {
  await using service = await startService((response, index) => {
    if (index === 0) answer(response, 500, "000000", SENT);
    else answer(response, 200, "400006");
  });
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });

  assert.deepEqual(await bot.sendMessage(TEXT), SENT);
  await assert.rejects(bot.sendMessage(TEXT), { name: "ApiRefusedError", httpStatus: 200, code: "400006" });
});

test("a success without the promised value is a transport failure that names the reqNo", async () => {
  await using service = await startService((response) => answer(response, 200, "000000", null));
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });
  for (const call of [
    () => bot.sendMessage(TEXT),
    () => bot.updateCard({ messageId: 1, card: card({ elements: [] }) }),
    () => bot.recallCard(1),
    () => bot.uploadFile(Buffer.from("a")),
    () => bot.listApps(),
    () => bot.listInstallations(),
  ]) {
    await assert.rejects(call(), { name: "TransportError", message: /req_1/ });
  }
});

test("neither the client nor its errors reveal the secret", async () => {
  await using service = await startService((response) => answer(response, 401, "400001"));
  const client = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });
  const refusal = await client.bot.listApps().catch((error: unknown) => error);
  const unreachable = new PorticoClient({ ...CREDENTIAL, baseUrl: "http://127.0.0.1:1" });
  const failure = await unreachable.bot.listApps().catch((error: unknown) => error);

  assert.ok(refusal instanceof ApiRefusedError);
  assert.ok(failure instanceof TransportError);
  for (const seen of [client, client.bot, refusal, failure]) {
    const shown = inspect(seen, { showHidden: true, depth: 20, getters: true }) + JSON.stringify(seen);
    assert.doesNotMatch(shown, /s3cr3t/);
  }
});

test("an invalid option is refused by name", () => {
  const options = { ...CREDENTIAL, baseUrl: "http://localhost:8080" };
  const refused: [Partial<typeof options> & Record<string, unknown>, RegExp][] = [
    [{ baseUrl: "localhost:8080" }, /baseUrl/],
    [{ baseUrl: "ftp://localhost" }, /baseUrl/],
    [{ baseUrl: "http://localhost/prefix" }, /baseUrl/],
    [{ baseUrl: "http://user:pass@localhost" }, /baseUrl/],
    [{ appId: "" }, /appId/],
    [{ credentialId: "" }, /credentialId/],
    [{ appSecret: "" }, /appSecret/],
    [{ timeoutMs: 0 }, /timeoutMs/],
    [{ uploadTimeoutMs: 0 }, /uploadTimeoutMs/],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs/],
    [{ maxRetries: -1 }, /maxRetries/],
    [{ maxRetries: Number.POSITIVE_INFINITY }, /maxRetries/],
    [{ maxRetryDelayMs: 0.5 }, /maxRetryDelayMs/],
  ];
  for (const [wrong, message] of refused) {
    assert.throws(() => new PorticoClient({ ...options, ...wrong }), { message });
  }
});
