import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test as plainTest } from "node:test";
import { ApiRefusedError, bearerExchange, createApiClient, TransportError } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { acme, alice, botApp } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = { conversationId: "group:g_team" };

onBothEngines("a client derived from the list of endpoints", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const signIn = async () => {
    const { url: baseUrl } = world();
    const stranger = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl }));
    const { accessToken } = await stranger.login({ body: alice });
    return createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl, token: () => accessToken }));
  };

  test("signs a member in, posts, and reads with a query", async () => {
    const client = await signIn();
    const body = { msgType: "text", content: { text: "你好 & hello?" }, clientMessageId: "derived-1" };
    const posted = await client.postMessage({ params: TEAM, body });
    assert.deepEqual(await client.postMessage({ params: TEAM, body }), posted);
    const query = { beforeSeq: posted.msgSeq + 1, limit: 1 };
    const { items } = await client.listMessages({ params: TEAM, query });
    assert.deepEqual(
      items.map(({ messageId, content }) => ({ messageId, content })),
      [{ messageId: posted.messageId, content: { text: body.content.text } }],
    );
    assert.ok((await client.listConversations()).items.length > 0);
  });
  test("uploads a file and sends it in a message", async () => {
    const client = await signIn();
    const file = new Blob(["a,b\n"], { type: "text/csv" });
    const { fileKey, fileName, size } = await client.uploadFile({ file, fileName: "表 1.csv" });
    assert.deepEqual([fileName, size], ["表 1.csv", 4]);
    await client.postMessage({ params: TEAM, body: { msgType: "file", content: { fileKey } } });
  });
  test("reports a refusal with all fields of the answer", async () => {
    const client = await signIn();
    await assert.rejects(client.listMessages({ params: { conversationId: "group:../g_other" } }), (error) => {
      assert.ok(error instanceof ApiRefusedError);
      assert.deepEqual([error.httpStatus, error.code], [403, "400008"]);
      assert.match(error.reqNo, /^\w+$/);
      return true;
    });
    const signedOut = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: world().url }));
    await assert.rejects(signedOut.listBots(), { name: "ApiRefusedError", httpStatus: 401 });
  });
  test("a signal ends a call, before it begins or while it is in progress", async () => {
    const client = await signIn();
    const reason = new Error("no longer wanted");
    await assert.rejects(client.listBots({}, { signal: AbortSignal.abort(reason) }), reason);
    const abort = new AbortController();
    const call = client.listBots({}, { signal: abort.signal });
    abort.abort(reason);
    await assert.rejects(call, reason);
  });
});

plainTest("an answer from another server, or without the promised value, is a transport failure", async () => {
  const answers = ["<html>", JSON.stringify({ code: "000000", message: "", value: { items: [{}] }, reqNo: "req_1" })];
  const server = createServer((_request, response) => response.end(answers.shift())).listen(0);
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const client = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: `http://127.0.0.1:${port}` }));
  try {
    await assert.rejects(client.listBots(), { name: "TransportError", message: /not an ApiResult/ });
    await assert.rejects(client.listBots(), (error) => error instanceof TransportError && /req_1/.test(error.message));
  } finally {
    server.close();
  }
  await assert.rejects(client.listBots(), { name: "TransportError", httpStatus: undefined });
});

plainTest("nothing that a browser's client imports needs Node", () => {
  for (const folder of ["client", "endpoints", "schemas"]) {
    const root = new URL(`../../protocol/src/${folder}/`, import.meta.url);
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
      const source = readFileSync(new URL(name, root), "utf8");
      assert.doesNotMatch(source, /from "(node:|ws")|\bBuffer\b|\bprocess\./, `${folder}/${name}`);
    }
  }
});
