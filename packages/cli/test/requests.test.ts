import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalString } from "@portico/protocol";
import { hmacSha256Hex, sha256Hex } from "@portico/protocol/signature";
import { send } from "../../server/test/support/http.ts";
import { answerJson, developerNamed, startConsole } from "./console-service.ts";
import { type DemoService, printedJson, startDemoService } from "./demo-service.ts";
import { createWorkspace } from "./portico.ts";

const PATH = "/api/open/v2/bot/apps";
const NOW = Date.parse("2026-01-31T08:00:00.000Z");
const REQ_NO = "0mh2lq9fk3f6a1b2c3d4e00001x";

/** Sends a call as the demo bot, signing the query as it is sent; returns its reqNo. */
async function call(service: DemoService, other: { query?: string; timestamp?: number; appId?: string } = {}) {
  const { cli } = JSON.parse(await service.read("data/demo.json"));
  const { query = "", timestamp = Date.now(), appId = cli.appId } = other;
  const nonce = crypto.randomUUID();
  const parts = {
    method: "GET",
    path: PATH,
    appId,
    credentialId: cli.credentialId,
    timestamp: String(timestamp),
    nonce,
  };
  const lines = canonicalString({ ...parts, rawQuery: "", bodyHash: sha256Hex(Buffer.alloc(0)) }).split("\n");
  lines[2] = query;
  const headers = {
    "x-open-app-id": appId,
    "x-open-credential-id": cli.credentialId,
    "x-open-timestamp": String(timestamp),
    "x-open-nonce": nonce,
    "x-open-signature": hmacSha256Hex(cli.appSecret, lines.join("\n")),
  };
  const { json } = await send(`${service.baseUrl}${PATH}${query && "?"}${query}`, { headers });
  return String(json.reqNo);
}

async function explain(service: DemoService, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await service.portico(["requests", ...args]);
  assert.equal(code, 0, stderr);
  return stdout;
}

test("a call with a wrong signature is explained from its number alone: the lines to sign, and the one signed differently", async () => {
  await using service = await startDemoService();
  const reqNo = await call(service, { query: "b=2&a=1" });
  const text = await explain(service, reqNo);
  for (const line of [
    /^call +GET \/api\/open\/v2\/bot\/apps\?b=2&a=1$/m,
    /^app +app_demo_bot$/m,
    /^answer +401 400001, after \d+ ms$/m,
    /^refused by +the check of the signature$/m,
    /^reason +400003 the signature does not match$/m,
    /^> 3 query +a=1&b=2$/m,
    /^ {2}4 app id +app_demo_bot$/m,
    /^> marks what the caller signed otherwise\.$/m,
    /^ {2}signature +64 characters, lower-case hex$/m,
    /^What to do\n {2}- Line 3 was signed with its parameters unsorted/m,
  ]) {
    assert.match(text, line);
  }
  const answer = printedJson(await service.portico(["requests", "app_demo_bot", reqNo, "--json"]));
  assert.deepEqual([answer.reqNo, answer.check, answer.details.mistakes], [reqNo, "signature", ["query-unsorted"]]);
});

test("a wrong clock of the caller is shown next to the service's", async () => {
  await using service = await startDemoService();
  const late = await explain(service, await call(service, { timestamp: Date.now() - 3_600_000 }));
  assert.match(late, /^refused by +the check of the timestamp$/m);
  assert.match(late, /^ {2}off by +3600(\.\d+)? s behind the service\n {2}allowed +300 s either way$/m);
  const seconds = await explain(service, await call(service, { timestamp: Math.floor(Date.now() / 1_000) }));
  assert.match(seconds, /^ {2}- X-Open-Timestamp was sent in seconds; it has to be in milliseconds\.$/m);
});

test("a successful call is shown as such, and calls are listed by filters, page by page", async () => {
  await using service = await startDemoService();
  const good = await call(service);
  assert.match(await explain(service, good), /^answer +200 000000, .*\nrefused by +nothing: it was carried out$/m);
  const bad = await call(service, { query: "b=2&a=1" });
  const refused = await explain(service, "app_demo_bot", "--status", "4xx", "--code", "400001", "--from", "2020-01-01");
  assert.match(
    refused,
    new RegExp(`^\\S+ +${bad} +401 400001 +\\d+ +GET ${PATH} +400003 the signature does not match$`, "m"),
  );
  assert.doesNotMatch(refused, new RegExp(good));
  const first = await explain(service, "app_demo_bot", "--limit", "1", "--method", "get", "--path", "/api/open");
  assert.match(first, new RegExp(`\nmore: add --before ${bad} to the options, for app_demo_bot\n$`));
  assert.match(await explain(service, "app_demo_bot", "--before", bad), new RegExp(` ${good} `));
  assert.equal(await explain(service, "app_demo_bot", "--to", "2020-01-01"), "no calls\n");
});

test("a call of an unknown app is visible to operators only", async () => {
  await using service = await startDemoService();
  const { developers } = JSON.parse(await service.read("data/demo.json")).provision;
  const reqNo = await call(service, { appId: "app_none" });
  const { code, stdout, stderr } = await service.portico(["requests", reqNo]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(
    stderr,
    new RegExp(`^portico requests: there is no call ${reqNo} of an app that this developer may look at\n.*operator`),
  );
  const text = await explain(service, reqNo, "--phone", developers[1].phone);
  assert.match(text, /^app +none has the id that was claimed$/m);
  assert.match(text, /^What the check found\n {2}app id +app_none$/m);
  const other = await service.portico(["requests", "app_demo_mini", reqNo]);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /^portico requests: there is no call \S+ of app_demo_mini$/m);
});

test("texts sent by a caller cannot control the reader's terminal, and times and durations are readable", async () => {
  await using workspace = await createWorkspace();
  const hostile = "\u001b[2J\nx\u202e";
  const explanation = {
    ...{ reqNo: REQ_NO, appId: "app_1", at: NOW, method: "GET", path: `/${hostile}`, status: 401, code: "400001" },
    ...{ durationMs: 2, reason: hostile, query: hostile, headers: { "User-Agent": hostile }, check: "nonce" },
    details: { nonce: hostile, seenAt: NOW, refusedUntil: null, lifetimeMs: 300_000 },
    ...{ canonicalString: null, hints: [hostile] },
  };
  await using console = await startConsole((response, index) => {
    const url = console.calls()[index]?.url ?? "";
    answerJson(response, 200, url.endsWith("/me") ? developerNamed("Operator", true) : explanation);
  });
  const { code, stdout } = await workspace.portico(["requests", REQ_NO, ...console.options]);
  assert.equal(code, 0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  assert.doesNotMatch(stdout, /[\u001b\u202e]/);
  assert.match(
    stdout,
    /^ {2}nonce +\\u001b\[2J x\\u202e\n {2}used, at the latest +2026-01-31T08:00:00\.000Z\n {2}lifetime +300 s$/m,
  );
  assert.equal(console.calls().at(-1)?.url, `/api/open/console/v1/operator/requests/${REQ_NO}`);
  const json = await workspace.portico(["requests", REQ_NO, "--json", ...console.options]);
  assert.deepEqual(JSON.parse(json.stdout), explanation);
});

test("columns stay aligned next to Chinese names", async () => {
  await using workspace = await createWorkspace();
  const item = {
    reqNo: REQ_NO,
    at: NOW,
    method: "GET",
    path: "/中文",
    status: 200,
    code: "000000",
    durationMs: 1,
    reason: null,
  };
  await using console = await startConsole((response) =>
    answerJson(response, 200, {
      items: [
        { ...item, reason: "x" },
        { ...item, path: "/abcd", reason: "x" },
      ],
      nextBefore: null,
    }),
  );
  const { stdout } = await workspace.portico(["requests", "app_1", ...console.options]);
  assert.equal(
    stdout,
    `time                      reqNo                        answer      ms  call       reason
2026-01-31T08:00:00.000Z  ${REQ_NO}  200 000000  1   GET /中文  x
2026-01-31T08:00:00.000Z  ${REQ_NO}  200 000000  1   GET /abcd  x
`,
  );
});
