import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, watch, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { BOUNDS } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { insertStoringFile } from "../src/files/file-store.ts";
import { acme, alice, bob, botApp, credentialsOf } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { FILES, FORM_TYPE, filePart, form, upload } from "./support/uploads.ts";
import { suiteWorld, type World } from "./support/world.ts";

const MEMBER_FILES = "/api/client/v1/files";
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

function uploadAs(url: string, member: MemberClient) {
  const headers = { ...bearer(member), "content-type": FORM_TYPE };
  return send(`${url}${MEMBER_FILES}`, { method: "POST", body: BODY, headers });
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
    acme(
      botApp("app_bot"),
      botApp("app_two"),
      botApp("app_mute", { scopes: ["bot.message.reply"] }),
      botApp("app_once", { quota: { perMinute: 1 } }),
    ),
  );

  test("a member's fourth upload at a time is 429 before it is read; other owners go on", async (t) => {
    const member = await MemberClient.signIn(world(), alice);
    const sockets = [1, 2, 3].map(() => beginUpload(world(), MEMBER_FILES, bearer(member)));
    t.after(() => sockets.map((socket) => socket.destroy()));
    await t.waitFor(() => assert.equal(waitingFiles(world()).length, 3));
    const refused = await uploadAs(world().url, member);
    assertRefused(refused, 429, "429001");
    assert.equal(refused.headers["retry-after"], "1");
    assert.equal(waitingFiles(world()).length, 3);
    assertSuccess(await uploadAs(world().url, await MemberClient.signIn(world(), bob)));
    assertSuccess(await upload(world(), "app_bot", BODY));
    for (const socket of sockets) socket.destroy();
    await t.waitFor(() => assert.deepEqual(waitingFiles(world()), []));
    assertSuccess(await uploadAs(world().url, member));
  });

  test("an application's 21st upload at a time waits its turn; other applications do not", async (t) => {
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

  test("a body is not looked into before nonce, quota and scope have let it pass, and its own faults come last", async (t) => {
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

  test("the hundredth of several at once is accepted, the others are not", async () => {
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
