import assert from "node:assert/strict";
import { test } from "node:test";
import { PorticoClient } from "@portico/sdk";
import { answer, CREDENTIAL, startService } from "./service.ts";

const UPLOADED = { fileKey: "file_1", fileName: "a.png", size: 4, mimeType: "image/png", expiresAt: 1 };
const CONTENT = Buffer.from([0x00, 0xff, 0x0d, 0x0a]);

test("a file is sent as a signed form whose boundary the header names, and its key comes back", async () => {
  await using service = await startService((response) => answer(response, 200, "000000", UPLOADED));
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });
  assert.deepEqual(await bot.uploadFile(CONTENT, { fileName: "a.png" }), UPLOADED);

  const [request] = service.requests;
  assert.equal(`${request?.method} ${request?.url}`, "POST /api/open/v2/bot/files");
  assert.equal(request?.signatureMatches, true);
  assert.equal(request?.headers["content-length"], String(request?.bytes.length));
  const [, boundary] =
    /^multipart\/form-data; boundary=([\w-]{36})$/.exec(request?.headers["content-type"] ?? "") ?? [];
  assert.ok(request?.bytes.includes(CONTENT));
  assert.ok(request.bytes.toString("latin1").startsWith(`--${boundary}\r\n`));
  assert.ok(request.bytes.toString("latin1").endsWith(`\r\n--${boundary}--\r\n`));
});

test("a source is read before anything is sent, and once for all tries", async () => {
  await using service = await startService((response, index) =>
    index < 2 ? answer(response, 429, "429001") : answer(response, 200, "000000", UPLOADED),
  );
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl, random: () => 0 });
  let readings = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    readings++;
    assert.equal(service.connections(), 0);
    yield CONTENT;
  }
  await bot.uploadFile(source());

  assert.equal(readings, 1);
  assert.equal(service.requests.length, 3);
  assert.ok(service.requests.every(({ signatureMatches }) => signatureMatches));
  assert.equal(new Set(service.requests.map(({ headers }) => headers["x-open-nonce"])).size, 3);
  assert.equal(new Set(service.requests.map(({ bytes }) => bytes.toString("latin1"))).size, 1);
});

test("a file that is too large is not sent", async () => {
  await using service = await startService((response) => answer(response, 200, "000000", UPLOADED));
  const { bot } = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl });
  await assert.rejects(bot.uploadFile(Buffer.alloc(20 * 1024 * 1024 + 1)), RangeError);
  assert.equal(service.connections(), 0);
});

test("an upload has the timeout uploadTimeoutMs, independent of other calls", async () => {
  await using service = await startService(() => {});
  const fastCalls = new PorticoClient({ ...CREDENTIAL, baseUrl: service.baseUrl, timeoutMs: 1, uploadTimeoutMs: 40 });
  await assert.rejects(fastCalls.bot.uploadFile(CONTENT), { name: "TransportError", message: /within 40 ms/ });
  await assert.rejects(fastCalls.bot.listApps(), { name: "TransportError", message: /within 1 ms/ });
});
