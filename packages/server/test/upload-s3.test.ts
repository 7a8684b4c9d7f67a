import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { sweepFiles } from "../src/domain/files/sweep.ts";
import { acme, alice, botApp, call, MESSAGES } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { sqlite } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { startToFail } from "./support/process.ts";
import { type S3Server, startS3Server } from "./support/s3-server.ts";
import { uploadKey } from "./support/uploads.ts";
import { World } from "./support/world.ts";

function settingsOf(store: S3Server): Record<string, string> {
  return {
    PORTICO_BLOBS_KIND: "s3",
    PORTICO_BLOBS_ENDPOINT: store.endpoint,
    PORTICO_BLOBS_BUCKET: store.bucket,
    PORTICO_BLOBS_REGION: store.region,
    PORTICO_BLOBS_ACCESS_KEY_ID: store.accessKeyId,
    PORTICO_BLOBS_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
}

test("with an S3-compatible store, what is uploaded and sent is served from there, and what is not sent is removed", async (t) => {
  const store = await startS3Server();
  t.after(() => store.stop());
  const world = await World.create(sqlite, acme(botApp("app_bot")), settingsOf(store));
  t.after(() => world.dispose());
  const content = randomBytes(500_000);
  const fileKey = await uploadKey(world, "app_bot", { content, mimeType: "image/png" });
  const unsent = await uploadKey(world, "app_bot");
  const body = { receiveIdType: "group_id", receiveId: "g_team", msgType: "file", content: { fileKey } };
  assertSuccess(await call(world, "app_bot", { method: "POST", target: MESSAGES, body: JSON.stringify(body) }));
  const [message] = await (await MemberClient.signIn(world, alice)).history("group:g_team");
  assert.ok(message);
  const url = (message.content as { url: string }).url.replace("localhost", "127.0.0.1");

  assert.ok((await send(url)).bytes.equals(content));
  const part = await send(url, { headers: { range: "bytes=100-199" } });
  assert.deepEqual([part.status, part.bytes.equals(content.subarray(100, 200))], [206, true]);
  assert.deepEqual(readdirSync(join(world.env.PORTICO_DATA_DIR ?? "", "tmp")), []);

  const { ctx } = world.portico;
  const row = await ctx.storage.db.selectFrom("files").selectAll().where("file_key", "=", unsent).executeTakeFirst();
  world.clock.turn(700_000);
  await sweepFiles(ctx);
  assert.equal(await ctx.blobs.get(row?.blob_key ?? ""), null);
  assert.equal((await send(url)).status, 200);
});

test("the start stops with a clear message when the bucket cannot be used", async (t) => {
  const store = await startS3Server();
  const instance = await sqlite.create();
  t.after(async () => {
    await store.stop();
    await instance.dispose();
  });
  const closedPort = await findFreePort();
  const mistakes: Record<string, string>[] = [
    { PORTICO_BLOBS_BUCKET: "elsewhere" },
    { PORTICO_BLOBS_SECRET_ACCESS_KEY: "another secret" },
    { PORTICO_BLOBS_ENDPOINT: `http://127.0.0.1:${closedPort}` },
  ];
  for (const wrong of mistakes) {
    const { code, output } = await startToFail({ ...instance.env, PORTICO_PORT: "0", ...settingsOf(store), ...wrong });
    assert.equal(code, 1, output);
    assert.match(output, /the bucket \S+ cannot be used .*PORTICO_BLOBS_/);
    assert.ok(!output.includes("secret"), output);
  }
});
