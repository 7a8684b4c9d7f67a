import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, watch, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { BOUNDS } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { insertStoringFile } from "../src/domain/files/file-store.ts";
import { alice, bob, botApp, credentialsOf } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { ConsoleClient, consoleAcme, ownedApp } from "./support/console.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { explanationOf } from "./support/explanations.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { FILES, FORM_TYPE, filePart, form, upload } from "./support/uploads.ts";
import { suiteWorld, type World } from "./support/world.ts";

const MEMBER_FILES = "/api/client/v1/files";
const WIDGET_FILES = "/api/widget/v1/files";
const BODY = form(filePart());

const directoryOf = (world: World) => join(world.env.PORTICO_DATA_DIR ?? "", "tmp");
const waitingFiles = (world: World) => readdirSync(directoryOf(world));

/** Sends the head of an upload and half of its body. */
function beginUpload({ url }: World, path: string, headers: Record<string, string>): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  const all = { ...headers, host: "portico", "content-type": FORM_TYPE, "content-length": BODY.length };
  const lines = Object.entries(all).map((line) => line.join(": "));
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  socket.write(BODY.subarray(0, BODY.length / 2));
  return socket;
}

function beginAsApp(world: World, appId: string): Socket {
  const call = { method: "POST", path: FILES, rawQuery: "", timestamp: world.clock.now(), nonce: randomUUID() };
  return beginUpload(world, FILES, signRequest({ ...credentialsOf(appId), ...call, body: BODY }).headers);
}

const bearer = ({ token }: MemberClient) => ({ authorization: `Bearer ${token}` });

function uploadAs(url: string, { token }: MemberClient) {
  return uploadWith(url, MEMBER_FILES, token);
}

function uploadWith(url: string, path: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": FORM_TYPE };
  return send(`${url}${path}`, { method: "POST", body: BODY, headers });
}

/** The first line of the answer. */
function firstLine(socket: Socket): Promise<string | undefined> {
  const read = (data: Buffer | null) => String(data).split("\r\n", 1)[0];
  const early: Buffer | null = socket.read();
  if (early !== null) return Promise.resolve(read(early));
  return new Promise((resolve) => socket.once("data", (data) => resolve(read(data))));
}

async function fillUnsent({ portico, clock }: World, userId: string, count: number): Promise<void> {
  const [owner, now] = [{ type: "MEMBER", id: userId } as const, clock.now()];
  const file = { fileName: "a.png", mimeType: "image/png", size: 1, sha256: "", owner, now, expiresAt: now + 600_000 };
  await portico.ctx.storage.write(async (tx) => {
    for (let n = 0; n < count; n++) {
      const [fileKey, blobKey] = [`file_${randomUUID()}`, randomBytes(24).toString("hex")];
      await insertStoringFile(tx, { ...file, fileKey, blobKey });
    }
  });
}

onBothEngines("the bounds of uploads", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      botApp("app_bot"),
      botApp("app_two"),
      botApp("app_mute", { scopes: ["bot.message.reply"] }),
      botApp("app_once", { quota: { perMinute: 1 } }),
      ownedApp("app_owned"),
      customerApp("app_desk"),
      customerApp("app_other_desk"),
    ),
  );
  /** Lets each of `count` visitors begin an upload and stall; returns another visitor without an upload. */
  const stallAsVisitors = async (t: TestContext, count: number) => {
    const desk = new CustomerClient(world, "app_desk");
    const visitors: string[] = [];
    for (let n = 0; n <= count; n++) {
      visitors.push((await desk.value(desk.post("visitor/auth", { thirdUserId: `s-${n}` }))).visitorToken);
    }
    const headers = (token: string) => ({ authorization: `Bearer ${token}` });
    const sockets = visitors.slice(0, -1).map((token) => beginUpload(world(), WIDGET_FILES, headers(token)));
    t.after(() => sockets.map((socket) => socket.destroy()));
    await t.waitFor(() => assert.equal(waitingFiles(world()).length, 8));
    return { visitors, sockets };
  };

  test("a member's fourth concurrent upload is 429 before it is read; other owners are not affected", async (t) => {
    const member = await MemberClient.signIn(world(), alice);
    const sockets = [1, 2, 3].map(() => beginUpload(world(), MEMBER_FILES, bearer(member)));
    t.after(() => sockets.map((socket) => socket.destroy()));
    await t.waitFor(() => assert.equal(waitingFiles(world()).length, 3));
    const comeAgain: unknown[] = [];
    for (let n = 0; n < 5; n++) {
      const refused = await uploadAs(world().url, member);
      assertRefused(refused, 429, "429001");
      comeAgain.push(refused.headers["retry-after"]);
    }
    assert.deepEqual(comeAgain, ["1", "2", "3", "4", "1"], "those who are refused are not to come again all at once");
    assert.equal(waitingFiles(world()).length, 3);
    assertSuccess(await uploadAs(world().url, await MemberClient.signIn(world(), bob)));
    assertSuccess(await upload(world(), "app_bot", BODY));
    for (const socket of sockets) socket.destroy();
    await t.waitFor(() => assert.deepEqual(waitingFiles(world()), []));
    assertSuccess(await uploadAs(world().url, member));
  });

  test("an application's 21st concurrent upload waits; other applications' do not", async (t) => {
    const sockets = Array.from({ length: 20 }, () => beginAsApp(world(), "app_bot"));
    t.after(() => sockets.map((socket) => socket.destroy()));
    await t.waitFor(() => assert.equal(waitingFiles(world()).length, 20));
    const next = upload(world(), "app_bot", BODY);
    assertSuccess(await upload(world(), "app_two", BODY));
    assert.equal(waitingFiles(world()).length, 20);
    sockets[0]?.destroy();
    assertSuccess(await next);
    for (const socket of sockets) socket.destroy();
    await t.waitFor(() => assert.deepEqual(waitingFiles(world()), []));
  });

  test("stalled uploads of visitors do not block applications, members or other applications' visitors", async (t) => {
    const { visitors, sockets } = await stallAsVisitors(t, 22);
    const shop = new CustomerClient(world, "app_other_desk");
    const { visitorToken } = await shop.value(shop.post("visitor/auth", { thirdUserId: "c-1" }));
    assertSuccess(await upload(world(), "app_bot", BODY));
    assertSuccess(await uploadAs(world().url, await MemberClient.signIn(world(), bob)));
    assertSuccess(await uploadWith(world().url, WIDGET_FILES, String(visitorToken)));
    assertRefused(await uploadWith(world().url, WIDGET_FILES, visitors.at(-1) ?? ""), 429, "429001");
    world().clock.turn(10_000);
    world().portico.ctx.temporaryFiles.endOverdue();
    assert.equal(waitingFiles(world()).length, 8);
    world().portico.ctx.temporaryFiles.endOverdue();
    await t.waitFor(() => assert.deepEqual(waitingFiles(world()), []));
    assertSuccess(await uploadWith(world().url, WIDGET_FILES, visitors.at(-1) ?? ""));
    const refusals = await Promise.all(sockets.map(firstLine));
    assert.deepEqual(new Set(refusals), new Set(["HTTP/1.1 400 Bad Request", "HTTP/1.1 429 Too Many Requests"]));
  });

  test("an upload that is too slow is ended, its place becomes free, and the request log gives the reason", async (t) => {
    const socket = beginAsApp(world(), "app_owned");
    t.after(() => socket.destroy());
    const answered = new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    await t.waitFor(() => assert.equal(waitingFiles(world()).length, 1));
    world().clock.turn(10_000);
    world().portico.ctx.temporaryFiles.endOverdue();
    world().portico.ctx.temporaryFiles.endOverdue();
    const answer = await answered;
    await t.waitFor(() => assert.deepEqual(waitingFiles(world()), []));
    const { code, message, reqNo } = JSON.parse(answer.slice(answer.indexOf("{")));
    assert.deepEqual([code, message], ["400006", "上传过慢,已中止"]);
    const { check, details, hints } = await explanationOf(await ConsoleClient.logIn(world()), "app_owned", reqNo);
    assert.equal(check, "pace");
    assert.deepEqual(details, { leastBytesPerSecond: 16_384, windowMs: 10_000 });
    assert.match(hints.join(), /less than 16384 bytes a second/);
  });

  test("an upload without a place within 10 s is 429 with Retry-After, and takes none", async (t) => {
    const sockets = Array.from({ length: 20 }, () => beginAsApp(world(), "app_bot"));
    t.after(() => sockets.map((socket) => socket.destroy()));
    await t.waitFor(() => assert.equal(waitingFiles(world()).length, 20));
    const { temporaryFiles } = world().portico.ctx;
    const waits = t.mock.method(temporaryFiles, "acquire");
    const next = upload(world(), "app_bot", BODY);
    await t.waitFor(() => assert.equal(waits.mock.callCount(), 1));
    world().clock.turn(9_999);
    temporaryFiles.endOverdue();
    assert.equal(await Promise.race([next, new Promise((resolve) => setImmediate(resolve, "waiting"))]), "waiting");
    world().clock.turn(1);
    temporaryFiles.endOverdue();
    const refused = await next;
    assertRefused(refused, 429, "429001", "同时上传的文件过多,请稍后重试");
    assert.equal(refused.headers["retry-after"], "5");
    assert.equal(waitingFiles(world()).length, 20);
    for (const socket of sockets) socket.destroy();
    await t.waitFor(() => assert.deepEqual(waitingFiles(world()), []));
  });

  test("a body is parsed after nonce, quota and scope were checked, and its errors are reported last", async (t) => {
    const nonce = randomUUID();
    assertSuccess(await upload(world(), "app_bot", BODY, { nonce }));
    assertSuccess(await upload(world(), "app_once", BODY));
    const seen = new Set<string | null>();
    const watcher = watch(directoryOf(world()), (_event, name) => seen.add(name));
    t.after(() => watcher.close());
    const accept = { headers: { accept: "text/html" } };
    assertRefused(await upload(world(), "app_bot", BODY, { nonce }), 401, "400001");
    assertRefused(await upload(world(), "app_once", BODY), 429, "429001");
    assertRefused(await upload(world(), "app_mute", BODY), 403, "400007");
    assertRefused(await upload(world(), "app_bot", form(), accept), 406, "406001");
    writeFileSync(join(directoryOf(world()), "last"), "");
    await t.waitFor(() => assert.ok(seen.has("last")));
    assert.equal(seen.size, 5, "each body, and no file out of one");
    const empty = { nonce: randomUUID() };
    assertRefused(await upload(world(), "app_bot", form(), empty), 400, "400006", "缺少必需的上传分片: file");
    assertRefused(await upload(world(), "app_bot", form(), empty), 401, "400001");
  });

  test("with 100 files unsent, an upload is refused before it is received", async () => {
    const member = await MemberClient.signIn(world(), bob);
    world().clock.turn(600_000);
    await fillUnsent(world(), "u_bob", BOUNDS.unsentFiles);
    const socket = beginUpload(world(), MEMBER_FILES, bearer(member));
    const answer = await new Promise((resolve) => socket.once("data", (data) => resolve(String(data))));
    socket.destroy();
    assert.match(String(answer), /^HTTP\/1\.1 429 .*\r\nretry-after: 600\r\n/is);
  });

  test("of concurrent uploads the hundredth is accepted, the others are refused", async () => {
    const member = await MemberClient.signIn(world(), alice);
    world().clock.turn(600_000);
    await fillUnsent(world(), "u_alice", BOUNDS.unsentFiles - 1);
    const urls = [world().url];
    if (engine.name === "postgres") urls.push((await world().start()).url);
    const answers = await Promise.all(urls.flatMap((url) => [1, 2, 3].map(() => uploadAs(url, member))));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  });
});
