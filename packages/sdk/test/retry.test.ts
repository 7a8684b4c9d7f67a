import assert from "node:assert/strict";
import { test } from "node:test";
import { type BotApi, card, hr, PorticoClient, type PorticoClientOptions, type SendMessageRequest } from "@portico/sdk";
import { answer, CREDENTIAL, type Service, startService } from "./service.ts";

const SENT = { messageId: 17, msgSeq: 3, clientMessageId: null, duplicate: false };
const TEXT: SendMessageRequest = {
  receiveIdType: "user_id",
  receiveId: "u_alice",
  msgType: "text",
  content: { text: "hello" },
};
const CARD = card({ elements: [hr()] });

/** A client whose clock advances only while it waits, and which records its waits. */
function patientClient(service: Service, options: Partial<PorticoClientOptions> = {}) {
  const delaysMs: number[] = [];
  let nowMs = 1_000_000;
  const client = new PorticoClient({
    ...CREDENTIAL,
    baseUrl: service.baseUrl,
    clock: () => nowMs,
    random: () => 0.5,
    sleep: async (delayMs) => {
      delaysMs.push(delayMs);
      nowMs += delayMs;
    },
    ...options,
  });
  return { bot: client.bot, delaysMs };
}

for (const [status, code] of [
  [500, "500000"],
  [429, "429001"],
] as const) {
  test(`${code} is retried, each try with its own nonce, timestamp and signature and the same message id`, async () => {
    await using service = await startService((response, index) =>
      index < 2 ? answer(response, status, code) : answer(response, 200, "000000", SENT),
    );
    const { bot, delaysMs } = patientClient(service);

    assert.deepEqual(await bot.sendMessage(TEXT), SENT);

    const { requests } = service;
    assert.deepEqual(
      requests.map((request) => request.signatureMatches),
      [true, true, true],
    );
    for (const header of ["x-open-nonce", "x-open-timestamp", "x-open-signature"]) {
      assert.equal(new Set(requests.map((request) => request.headers[header])).size, 3, header);
    }
    assert.equal(new Set(requests.map((request) => request.body)).size, 1);
    assert.deepEqual(delaysMs, [125, 250]);
  });
}

test("after the last retry the refusal is thrown", async () => {
  await using service = await startService((response) => answer(response, 500, "500000"));
  const { bot, delaysMs } = patientClient(service);
  await assert.rejects(bot.listApps(), { name: "ApiRefusedError", code: "500000" });
  assert.equal(service.requests.length, 4);
  assert.deepEqual(delaysMs, [125, 250, 500]);
});

test("maxRetries 0 turns retries off", async () => {
  await using service = await startService((response) => answer(response, 500, "500000"));
  const { bot } = patientClient(service, { maxRetries: 0 });
  await assert.rejects(bot.listApps(), { code: "500000" });
  assert.equal(service.requests.length, 1);
});

test("the backoff is jittered from zero and never beyond maxRetryDelayMs", async () => {
  await using service = await startService((response) => answer(response, 500, "500000"));
  const soonest = patientClient(service, { random: () => 0 });
  await assert.rejects(soonest.bot.listApps());
  assert.deepEqual(soonest.delaysMs, [0, 0, 0]);

  const capped = patientClient(service, { random: () => 0.999, maxRetries: 5, maxRetryDelayMs: 400 });
  await assert.rejects(capped.bot.listApps());
  assert.deepEqual(capped.delaysMs, [249, 399, 399, 399, 399]);
});

test("a retry waits at least as long as Retry-After asks", async () => {
  await using service = await startService((response, index) => {
    if (index === 1) return answer(response, 200, "000000", { items: [] });
    response.setHeader("Retry-After", "42");
    answer(response, 429, "429001");
  });
  const { bot, delaysMs } = patientClient(service);
  assert.deepEqual(await bot.listApps(), []);
  assert.deepEqual(delaysMs, [42_000]);
});

test("a Retry-After longer than maxRetryDelayMs is thrown at once", async () => {
  await using service = await startService((response) => {
    response.setHeader("Retry-After", "61");
    answer(response, 429, "429001");
  });
  const { bot, delaysMs } = patientClient(service);
  await assert.rejects(bot.listApps(), { code: "429001", retryAfterSeconds: 61 });
  assert.equal(service.requests.length, 1);
  assert.deepEqual(delaysMs, []);
});

test("a Retry-After that is not a whole number of seconds is ignored", async () => {
  await using service = await startService((response) => {
    response.setHeader("Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT");
    answer(response, 429, "429001");
  });
  const { bot, delaysMs } = patientClient(service, { maxRetries: 1 });
  await assert.rejects(bot.listApps(), { code: "429001", retryAfterSeconds: undefined });
  assert.deepEqual(delaysMs, [125]);
});

for (const [status, code] of [
  [400, "400006"],
  [401, "400001"],
  [403, "400008"],
  [413, "413001"],
  [500, "599999"],
  [429, "400006"],
] as const) {
  test(`HTTP ${status} with ${code} is not retried`, async () => {
    await using service = await startService((response) => answer(response, status, code));
    const { bot } = patientClient(service);
    await assert.rejects(bot.sendMessage(TEXT), { name: "ApiRefusedError", code });
    assert.equal(service.requests.length, 1);
  });
}

for (const [call, description] of [
  [(bot: BotApi) => bot.reply({ ...TEXT, messageId: 5 }), "a reply"],
  [(bot: BotApi) => bot.updateCard({ messageId: 17, card: CARD }), "an update of a card without a version"],
  [(bot: BotApi) => bot.recallCard(17), "a recall"],
  [(bot: BotApi) => bot.uploadFile(Buffer.from("a")), "an upload"],
] as const) {
  test(`${description} is retried after 500000, with the same body`, async () => {
    await using service = await startService((response) => answer(response, 500, "500000"));
    const { bot } = patientClient(service, { maxRetries: 1 });
    await assert.rejects(call(bot), { code: "500000" });
    assert.equal(service.requests.length, 2);
    assert.ok(service.requests.every((request) => request.signatureMatches));
    assert.equal(new Set(service.requests.map((request) => request.body)).size, 1);
  });
}

test("an update of a card with a version is not retried after 500000, which may mean a version conflict", async () => {
  await using service = await startService((response) => answer(response, 500, "500000"));
  const { bot } = patientClient(service);
  await assert.rejects(bot.updateCard({ messageId: 17, card: CARD, version: 4 }), { code: "500000" });
  assert.equal(service.requests.length, 1);
});

test("an update of a card with a version is retried after 429001, because nothing was done", async () => {
  await using service = await startService((response, index) =>
    index === 0 ? answer(response, 429, "429001") : answer(response, 200, "000000", SENT),
  );
  const { bot } = patientClient(service);
  assert.deepEqual(await bot.updateCard({ messageId: 17, card: CARD, version: 4 }), SENT);
  assert.equal(service.requests.length, 2);
});
