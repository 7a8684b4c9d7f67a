import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { LIMITS } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { sweepFiles } from "../src/domain/files/sweep.ts";
import { acme, alice, botApp, call, credentialsOf, MESSAGES } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { FILES, FORM_TYPE, filePart, form, PIXEL, upload, uploadKey } from "./support/uploads.ts";
import { suiteWorld, type World } from "./support/world.ts";

/** Names of all files in the blob store and in the temporary directory. */
function filesOnDisk(world: World): string[] {
  const dataDir = world.env.PORTICO_DATA_DIR ?? "";
  return ["tmp", "blobs"].flatMap((name) =>
    readdirSync(join(dataDir, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name),
  );
}

/** Sends a file to the team; returns its address as members see it. */
async function sendFile(world: World, fileKey: string, other: Record<string, unknown> = {}): Promise<string> {
  const body = { receiveIdType: "group_id", receiveId: "g_team", msgType: "file", content: { fileKey }, ...other };
  const answer = await call(world, "app_bot", { method: "POST", target: MESSAGES, body: JSON.stringify(body) });
  assertSuccess(answer);
  const history = await (await MemberClient.signIn(world, alice)).history("group:g_team");
  const content = history.at(-1)?.content as { url: string };
  return content.url.replace("localhost", "127.0.0.1");
}

onBothEngines("uploading", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_mute", { scopes: ["bot.message.reply"] })));

  test("the answer describes the file, and its content is served unaltered", async () => {
    const content = randomBytes(300_000);
    const answer = await upload(
      world(),
      "app_bot",
      form(filePart({ content, fileName: '"报告 1.pdf"', mimeType: "application/PDF; x=y" })),
    );
    assertSuccess(answer);
    const { fileKey, ...described } = answer.json.value;
    assert.match(fileKey, /^file_[\w-]{32}$/);
    const expiresAt = world().clock.now() + 600_000;
    assert.deepEqual(described, { fileName: "报告 1.pdf", size: 300_000, mimeType: "application/pdf", expiresAt });
    const served = await send(await sendFile(world(), fileKey));
    assert.equal(served.status, 200);
    assert.ok(served.bytes.equals(content));
  });

  test("the file name as the contract writes it, without quotes", async () => {
    const answer = await upload(world(), "app_bot", form(filePart({ fileName: "季度 报告 (终).png" })));
    assert.equal(answer.json.value.fileName, "季度 报告 (终).png");
  });

  test("single uploaded file: 20 MiB pass, one byte more is 400 + 400006", async () => {
    const exactly = await upload(world(), "app_bot", form(filePart({ content: Buffer.alloc(LIMITS.uploadFileBytes) })));
    assertSuccess(exactly);
    assert.equal(exactly.json.value.size, 20 * 1024 * 1024);
    const before = filesOnDisk(world());
    const more = await upload(
      world(),
      "app_bot",
      form(filePart({ content: Buffer.alloc(LIMITS.uploadFileBytes + 1) })),
    );
    assertRefused(more, 400, "400006", "文件不能超过20MiB");
    assert.deepEqual(filesOnDisk(world()), before);
  });

  for (const chunked of [false, true]) {
    test(`request body over 22 MiB is 413 + 413001, ${chunked ? "not announced" : "announced"}`, async () => {
      const before = filesOnDisk(world());
      const body = form(filePart({ content: Buffer.alloc(LIMITS.uploadBodyBytes) }));
      assertRefused(await upload(world(), "app_bot", body, { chunked }), 413, "413001");
      assert.deepEqual(filesOnDisk(world()), before);
    });
  }

  test("a body over 20 MiB with a smaller file is accepted", async () => {
    const other = { headers: ['Content-Disposition: form-data; name="note"'], body: Buffer.alloc(900_000) };
    assertSuccess(
      await upload(world(), "app_bot", form(other, filePart({ content: Buffer.alloc(LIMITS.uploadFileBytes) }))),
    );
  });

  test("a missing file part is 400 + 400006 with the contract's message", async () => {
    const field = { headers: ['Content-Disposition: form-data; name="file"'], body: "a field, not a file" };
    const misnamed = { headers: ['Content-Disposition: form-data; name="upload"; filename=a.png'], body: PIXEL };
    for (const body of [form(), form(field), form(misnamed)]) {
      assertRefused(await upload(world(), "app_bot", body), 400, "400006", "缺少必需的上传分片: file");
    }
  });

  test("a body altered after signing is 401 and leaves nothing on disk", async () => {
    const before = filesOnDisk(world());
    const signedBody = form(filePart());
    const body = Buffer.from(signedBody);
    body[body.length - 60] = (body[body.length - 60] ?? 0) ^ 1;
    assertRefused(await upload(world(), "app_bot", body, { signedBody }), 401, "400001");
    assert.deepEqual(filesOnDisk(world()), before);
    const rows = await world().portico.ctx.storage.db.selectFrom("files").select("state").execute();
    assert.ok(rows.every(({ state }) => state === "READY"));
  });

  test("a body without a valid caller is not read", async () => {
    const before = filesOnDisk(world());
    const body = form(filePart({ content: Buffer.alloc(1_000_000) }));
    const strangers: Record<string, string | null>[] = [
      { "X-Open-App-Id": "app_none" },
      { "X-Open-Credential-Id": "cred_none" },
      { "X-Open-Signature": null },
    ];
    for (const headers of strangers) {
      assertRefused(await upload(world(), "app_bot", body, { headers }), 401, "400001");
    }
    assert.deepEqual(filesOnDisk(world()), before);
  });

  test("an interrupted upload leaves nothing on disk", async () => {
    const before = filesOnDisk(world());
    const body = form(filePart({ content: Buffer.alloc(2_000_000) }));
    const { headers } = signRequest({
      ...credentialsOf("app_bot"),
      method: "POST",
      path: FILES,
      rawQuery: "",
      timestamp: world().clock.now(),
      nonce: randomUUID(),
      body,
    });
    const { hostname, port } = new URL(world().url);
    const socket = connect(Number(port), hostname);
    const lines = Object.entries({
      ...headers,
      host: "portico",
      "content-type": FORM_TYPE,
      "content-length": body.length,
    });
    socket.write(`POST ${FILES} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n`);
    await new Promise((resolve) => socket.write(body.subarray(0, 1_000_000), resolve));
    const isSpooled = () => filesOnDisk(world()).length > before.length;
    while (!isSpooled()) await new Promise(setImmediate);
    socket.destroy();
    while (isSpooled()) await new Promise(setImmediate);
    assert.deepEqual(filesOnDisk(world()), before);
  });

  test("the scope is required, and the body of a refused upload is deleted", async () => {
    const before = filesOnDisk(world());
    assertRefused(await upload(world(), "app_mute", form(filePart())), 403, "400007");
    assert.deepEqual(filesOnDisk(world()), before);
  });

  test("an upload repeated with its nonce is 401 and stores nothing", async () => {
    const nonce = randomUUID();
    assertSuccess(await upload(world(), "app_bot", form(filePart()), { nonce }));
    const before = filesOnDisk(world());
    assertRefused(await upload(world(), "app_bot", form(filePart()), { nonce }), 401, "400001");
    assert.deepEqual(filesOnDisk(world()), before);
  });

  test("415: the body of an upload is announced as a form", async () => {
    const headers = { "content-type": "application/json" };
    assertRefused(await upload(world(), "app_bot", form(filePart()), { headers }), 415, "415001");
    const json = await call(world(), "app_bot", {
      method: "POST",
      target: MESSAGES,
      body: "{}",
      headers: { "content-type": FORM_TYPE },
    });
    assertRefused(json, 415, "415001");
  });

  test("a file that was not sent is removed once its fileKey has expired; one that was sent stays", async () => {
    const unsent = await uploadKey(world(), "app_bot");
    const url = await sendFile(world(), await uploadKey(world(), "app_bot"));
    const before = filesOnDisk(world()).length;
    world().clock.turn(700_000);
    await sweepFiles(world().portico.ctx);
    assert.ok(filesOnDisk(world()).length < before);
    const rows = await world().portico.ctx.storage.db.selectFrom("files").selectAll().execute();
    assert.ok(
      rows.every(({ sent_at }) => sent_at !== null),
      "only what was sent is left",
    );
    assert.equal(
      rows.some(({ file_key }) => file_key === unsent),
      false,
    );
    assert.equal((await send(url)).status, 200);
  });

  test("a file whose storing was interrupted by a crash is swept an hour later", async () => {
    const { storage, blobs } = world().portico.ctx;
    const fileKey = await uploadKey(world(), "app_bot");
    const { blob_key } = await storage.db
      .selectFrom("files")
      .select("blob_key")
      .where("file_key", "=", fileKey)
      .executeTakeFirstOrThrow();
    await storage.write(async (tx) => {
      await tx.updateTable("files").set({ state: "STORING" }).where("file_key", "=", fileKey).execute();
    });
    await sweepFiles(world().portico.ctx);
    const kept = await blobs.get(blob_key);
    assert.notEqual(kept, null);
    kept?.destroy();
    world().clock.turn(3_700_000);
    await sweepFiles(world().portico.ctx);
    assert.equal(await blobs.get(blob_key), null);
  });

  test("a file that cannot be deleted is logged, and the others are deleted", async (t) => {
    const { storage, blobs } = world().portico.ctx;
    const keys: string[] = [];
    for (let n = 0; n < 3; n++) keys.push(await uploadKey(world(), "app_bot"));
    const unsent = async () =>
      (
        await storage.db.selectFrom("files").selectAll().where("file_key", "in", keys).orderBy("file_key").execute()
      ).map(({ blob_key }) => blob_key);
    const [stuck] = await unsent();
    const removal = t.mock.method(blobs, "delete", async (key: string) => {
      if (key === stuck) throw new Error("the disk is at fault");
    });
    world().clock.turn(700_000);
    await sweepFiles(world().portico.ctx);
    assert.deepEqual(await unsent(), [stuck]);
    assert.ok(world().logLines.some((line) => line.includes("the disk is at fault")));
    removal.mock.restore();
    await sweepFiles(world().portico.ctx);
    assert.deepEqual(await unsent(), []);
  });

  test("the content of an upload that was abandoned while it was stored is removed", async (t) => {
    const { storage, blobs } = world().portico.ctx;
    const before = filesOnDisk(world());
    const put = blobs.put.bind(blobs);
    t.mock.method(blobs, "put", async (key: string, path: string, size: number) => {
      await put(key, path, size);
      await storage.write((tx) => tx.deleteFrom("files").where("blob_key", "=", key).execute());
    });
    assertRefused(await upload(world(), "app_bot", form(filePart())), 500, "500000");
    assert.deepEqual(filesOnDisk(world()), before);
  });
});

onBothEngines("members' uploads", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const uploadAs = (member: MemberClient, body: Buffer, headers: Record<string, string | null> = {}) =>
    send(`${world().url}/api/client/v1/files`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${member.token}`, "content-type": FORM_TYPE, ...headers },
    });

  test("a member uploads, sends, and everyone sees an address that serves it", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const uploaded = await uploadAs(member, form(filePart({ fileName: "cat.png" })));
    assertSuccess(uploaded);
    const { fileKey } = uploaded.json.value;
    const content = { fileKey, width: 1, height: 1 };
    assertSuccess(await member.post("conversations/group:g_team/messages", { msgType: "image", content }));
    const [message] = await member.history("group:g_team");
    const seen = message?.content as Record<string, unknown>;
    assert.deepEqual(
      { ...seen, url: "" },
      { ...content, url: "", fileName: "cat.png", mimeType: "image/png", size: PIXEL.length },
    );
    const served = await send(String(seen.url).replace("localhost", "127.0.0.1"));
    assert.ok(served.bytes.equals(PIXEL));
  });

  test("a fileKey can be used by its owner only", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const { fileKey } = (await uploadAs(member, form(filePart()))).json.value;
    const body = { receiveIdType: "group_id", receiveId: "g_team", msgType: "file", content: { fileKey } };
    const asBot = await call(world(), "app_bot", { method: "POST", target: MESSAGES, body: JSON.stringify(body) });
    assertRefused(asBot, 403, "400008", "fileKey无效或已过期");
    const content = { fileKey: await uploadKey(world(), "app_bot") };
    const asMember = await member.post("conversations/group:g_team/messages", { msgType: "file", content });
    assertRefused(asMember, 403, "400008", "fileKey无效或已过期");
  });

  test("refusals: not signed in, too large, no form, no file", async () => {
    const member = await MemberClient.signIn(world(), alice);
    const before = filesOnDisk(world());
    const large = form(filePart({ content: Buffer.alloc(LIMITS.uploadBodyBytes) }));
    assertRefused(await uploadAs(member, large, { authorization: null }), 401, "400001");
    assertRefused(await uploadAs(member, large), 413, "413001");
    const over = form(filePart({ content: Buffer.alloc(LIMITS.uploadFileBytes + 1) }));
    assertRefused(await uploadAs(member, over), 400, "400006", "文件不能超过20MiB");
    assertRefused(await uploadAs(member, form(filePart()), { "content-type": "application/json" }), 415, "415001");
    assertRefused(await uploadAs(member, form(filePart()), { "content-type": "text/plain" }), 415, "415001");
    assertRefused(await uploadAs(member, form()), 400, "400006", "缺少必需的上传分片: file");
    assert.deepEqual(filesOnDisk(world()), before);
  });

  test("a member has at most 100 unsent files", async () => {
    const member = await MemberClient.signIn(world(), {
      tenantId: "t_acme",
      username: "bob",
      password: "bob's password",
    });
    for (let n = 0; n < 100; n++) assertSuccess(await uploadAs(member, form(filePart())));
    const refused = await uploadAs(member, form(filePart()));
    assertRefused(refused, 429, "429001");
    assert.equal(refused.headers["retry-after"], "600");
    world().clock.turn(600_000);
    assertSuccess(await uploadAs(member, form(filePart())));
  });
});

onBothEngines("serving files", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const content = Buffer.from("0123456789");
  const serve = async (mimeType: string, fileName = "a.bin", bytes: Buffer = content) =>
    sendFile(world(), await uploadKey(world(), "app_bot", { content: bytes, mimeType, fileName }));

  test("served files cannot run as pages: nosniff, sandbox, and only raster images inline", async () => {
    for (const [mimeType, disposition] of [
      ["image/png", "inline"],
      ["image/jpeg", "inline"],
      ["image/gif", "inline"],
      ["image/webp", "inline"],
      ["image/svg+xml", "attachment"],
      ["text/html", "attachment"],
      ["application/xhtml+xml", "attachment"],
      ["text/javascript", "attachment"],
      ["application/pdf", "attachment"],
      ["x/y", "attachment"],
    ] as const) {
      const { headers, status } = await send(await serve(mimeType));
      assert.equal(status, 200);
      assert.equal(headers["content-type"], mimeType);
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.match(String(headers["content-security-policy"]), /sandbox/);
      assert.match(String(headers["content-disposition"]), new RegExp(`^${disposition};`), mimeType);
    }
  });

  test("a download has its file name, with any characters", async () => {
    const url = await serve("text/plain", '"../../报告\\"; x=1.txt"');
    const { headers } = await send(url);
    const disposition = String(headers["content-disposition"]);
    assert.ok(disposition.includes(`filename*=UTF-8''${encodeURIComponent('报告"; x=1.txt')}`), disposition);
  });

  test("ranges: first, middle and last bytes, beyond the end, and invalid forms", async () => {
    const url = await serve("text/plain");
    for (const [range, status, body, contentRange] of [
      ["bytes=0-0", 206, "0", "bytes 0-0/10"],
      ["bytes=2-4", 206, "234", "bytes 2-4/10"],
      ["bytes=7-", 206, "789", "bytes 7-9/10"],
      ["bytes=-3", 206, "789", "bytes 7-9/10"],
      ["bytes=-30", 206, "0123456789", "bytes 0-9/10"],
      ["bytes=5-500", 206, "56789", "bytes 5-9/10"],
      ["bytes=10-", 416, "", "bytes */10"],
      ["bytes=-0", 416, "", "bytes */10"],
      ["bytes=4-2", 200, "0123456789", undefined],
      ["bytes=0-1,3-4", 200, "0123456789", undefined],
      ["bytes=-", 200, "0123456789", undefined],
      ["lines=1-2", 200, "0123456789", undefined],
    ] as const) {
      const answer = await send(url, { headers: { range } });
      assert.deepEqual(
        [answer.status, answer.text, answer.headers["content-range"]],
        [status, body, contentRange],
        range,
      );
    }
  });

  test("If-None-Match and If-Range are compared with the content's tag", async () => {
    const url = await serve("text/plain");
    const etag = String((await send(url)).headers.etag);
    assert.equal((await send(url, { headers: { "if-none-match": etag } })).status, 304);
    const range = "bytes=0-0";
    assert.equal((await send(url, { headers: { range, "if-range": etag } })).status, 206);
    assert.equal((await send(url, { headers: { range, "if-range": '"other"' } })).status, 200);
  });

  test("HEAD has the same headers without the content; an empty file is served", async () => {
    const url = await serve("text/plain");
    const head = await send(url, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers["content-length"], head.text], [200, "10", ""]);
    const empty = await send(await serve("text/plain", "empty.txt", Buffer.alloc(0)));
    assert.deepEqual([empty.status, empty.headers["content-length"], empty.text], [200, "0", ""]);
  });

  test("errors are not cached: a range beyond the end, missing or unreadable content", async (t) => {
    const url = await serve("image/png");
    const answers = [await send(url, { headers: { range: "bytes=10-" } })];
    const missing = async () => null;
    const unreadable = async () =>
      new Readable({ read: (_size) => {} }).on("newListener", function (this: Readable, event) {
        if (event === "readable") this.destroy(new Error("the store is at fault"));
      });
    for (const get of [missing, unreadable]) {
      const method = t.mock.method(world().portico.ctx.blobs, "get", get);
      answers.push(await send(url));
      method.mock.restore();
    }
    assert.deepEqual(
      answers.map(({ status }) => status),
      [416, 500, 500],
    );
    for (const { headers } of answers) {
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers.etag, undefined);
      assert.equal(headers["content-disposition"], undefined);
    }
    assert.match(String((await send(url)).headers["cache-control"]), /immutable/);
  });

  test("any other address under /files is the container's 404", async () => {
    const url = new URL(await serve("text/plain"));
    const key = url.pathname.slice("/files/".length);
    assert.match(key, /^[0-9a-f]{48}$/);
    for (const path of [
      "x",
      key.slice(1),
      `${key}0`,
      key.toUpperCase(),
      `..%2F${key}`,
      `${key.slice(0, 2)}/${key}`,
      "%00",
      "",
    ]) {
      const answer = await send(`${url.origin}/files/${path}`);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.json.error, "Not Found");
    }
  });
});
