import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { describeApi } from "../src/api/reference/api-document.ts";
import { acme, alice, botApp, credentialsOf } from "./support/acme.ts";
import { sqlite } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const REPOSITORY = join(import.meta.dirname, "../../..");
const run = promisify(execFile);

/**
 * What a developer writes with a client that has been generated from the description: a bot's signed send, and a member
 * who signs in and reads it. The lines marked as errors must not type-check.
 */
const PROGRAM = `
import createClient, { type Middleware } from "openapi-fetch";
import { signRequest } from "@portico/protocol/signature";
import type { paths, webhooks } from "./api.ts";

const [baseUrl = "", now = "", appId = "", credentialId = "", appSecret = "", password = ""] = process.argv.slice(2);

const signing: Middleware = {
  async onRequest({ request }) {
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    const { headers } = signRequest({
      method: request.method, path: pathname, rawQuery: search.slice(1), appId, credentialId, appSecret, body,
      timestamp: Number(now), nonce: crypto.randomUUID(),
    });
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return request;
  },
};
const bot = createClient<paths>({ baseUrl });
bot.use(signing);
const signed = { "X-Open-Credential-Id": "", "X-Open-Timestamp": "", "X-Open-Nonce": "", "X-Open-Signature": "" };

const sent = await bot.POST("/api/open/v2/bot/messages", {
  params: { header: signed },
  body: { receiveIdType: "group_id", receiveId: "g_team", msgType: "text", content: { text: "hello" } },
});
if (sent.error) throw new Error(sent.error.message);
const messageId: number = sent.data.value.messageId;

const refused = await bot.POST("/api/open/v2/bot/messages", {
  params: { header: signed },
  // @ts-expect-error a text has no fileKey
  body: { receiveIdType: "group_id", receiveId: "g_team", msgType: "text", content: { fileKey: "hello" } },
});
const code: string | undefined = refused.error?.code;

const member = createClient<paths>({ baseUrl });
const login = await member.POST("/api/client/v1/auth/login", { body: { tenantId: "t_acme", username: "alice", password } });
if (login.error) throw new Error(login.error.message);
const page = await member.GET("/api/client/v1/conversations/{conversationId}/messages", {
  params: { path: { conversationId: "group:g_team" }, query: { limit: 10 } },
  headers: { authorization: \`Bearer \${login.data.value.accessToken}\` },
});
if (page.error) throw new Error(page.error.message);
const found = page.data.value.items.find((message) => message.messageId === messageId);

type Event = NonNullable<webhooks["im.message.receive_v1"]["post"]["requestBody"]>["content"]["application/json"];
const textOf = (event: Event): string => event.message.chatId + event.sender.name;
// @ts-expect-error there is no such member
const wrong = (event: Event) => event.message.nothing;

console.log(JSON.stringify({ code, content: found?.content, kinds: [typeof textOf, typeof wrong] }));
`;

describe("a client generated from the API's description", () => {
  const world = suiteWorld(sqlite, acme(botApp("app_bot")));

  test("type-checks, refuses wrong bodies, and works against the service", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "portico-generated-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
    const types = await openapiTS(JSON.parse(JSON.stringify(describeApi())));
    await writeFile(join(folder, "api.ts"), COMMENT_HEADER + astToString(types));
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(join(folder, "program.ts"), PROGRAM);
    const tsconfig = { extends: join(REPOSITORY, "tsconfig.json"), include: ["*.ts"], exclude: [] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    await run(join(REPOSITORY, "node_modules/.bin/tsc"), ["-p", folder, "--noEmit"]).catch(({ stdout }) => {
      assert.fail(stdout);
    });
    const { appId, appSecret, credentialId } = credentialsOf("app_bot");
    const { stdout } = await run(process.execPath, [
      join(folder, "program.ts"),
      ...[world().url, `${world().clock.now()}`, appId, credentialId, appSecret, alice.password],
    ]);
    assert.deepEqual(JSON.parse(stdout), {
      code: "400006",
      content: { text: "hello" },
      kinds: ["function", "function"],
    });
  });
});
