import assert from "node:assert/strict";
import fc from "fast-check";
import { acme, alice, botApp } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, type Sending, send, sendRaw } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { assertPrototypesUnchanged, assertUnharmed } from "./support/unharmed.ts";
import { suiteWorld, type World } from "./support/world.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** Bodies with which neither a sign-in nor a post can succeed. */
const REFUSED: Record<string, string | Buffer> = {
  "no byte": Buffer.alloc(0),
  whitespace: " \r\n",
  "an opening brace": "{",
  "a trailing comma": '{"a":1,}',
  null: "null",
  "a number": "1e400",
  "a text": '"text"',
  "a list": "[]",
  "an empty object": "{}",
  "100,000 nested lists": nested(100_000),
  "262,144 opening brackets": "[".repeat(262_144),
  "40,000 nested objects": `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`,
  "26,000 keys": `{${Array.from({ length: 26_000 }, (_, n) => `"${n.toString(36)}":0`)}}`,
  "members of every wrong type": '{"tenantId":[],"username":{},"password":1,"msgType":null,"content":"x"}',
  "members with NUL":
    '{"tenantId":"t\\u0000","username":"\\u0000","password":"\\u0000","msgType":"\\u0000","content":{"text":1}}',
  "members with lone surrogates":
    '{"tenantId":"\\ud800","username":"\\udfff","password":"\\ud800","msgType":"\\ud800","content":{}}',
  "__proto__ with everything": `{"__proto__":{"msgType":"text","content":{"text":"x"},"tenantId":"t_acme","username":"alice","password":"alice's password"}}`,
  "constructor.prototype": '{"constructor":{"prototype":{"polluted":1}}}',
  "UTF-16 with a byte order mark": Buffer.from('\ufeff{"msgType":"text"}', "utf16le"),
  "UTF-8 with a byte order mark": '\ufeff{"msgType":"text","content":{"text":"x"}}',
  "Latin-1": Buffer.from('{"msgType":"text","content":{"text":"é"}}', "latin1"),
  "bytes that are no UTF-8": Buffer.concat([
    Buffer.from('{"msgType":"'),
    Buffer.of(0xff, 0xc0, 0xaf),
    Buffer.from('"}'),
  ]),
  "200,000 NULs": Buffer.alloc(200_000),
};

/** Contents of an otherwise valid post, and the expected status. */
const CONTENTS: [content: string, status: 200 | 400][] = [
  ['{"text":"\\u0000\\ud800\\u001f"}', 200],
  [`{"text":"${"x".repeat(250_000)}"}`, 200],
  [`{"text":"x","deep":${nested(60_000)}}`, 200],
  ['{"text":"x","__proto__":{"text":"no"},"constructor":{"prototype":{"polluted":1}}}', 200],
  ['{"text":"x","mentions":["\\u0000"]}', 200],
  ['{"text":"x","mentions":["\\ud800","__proto__",{"userId":"constructor"}]}', 200],
  [`{"text":"x","mentions":["${"x".repeat(200_000)}"]}`, 200],
  [`{"text":"x","mentions":${JSON.stringify(Array.from({ length: 500 }, (_, n) => `nobody ${n}`))}}`, 200],
  [`{"text":"x","mentions":${JSON.stringify(Array.from({ length: 501 }, (_, n) => `nobody ${n}`))}}`, 400],
  [`{"text":${nested(60_000)}}`, 400],
  ['{"text":1e400}', 400],
  ['{"__proto__":{"text":"x"}}', 400],
  ['{"text":"x","mentions":{"0":"alice","length":1}}', 400],
  [nested(60_000), 400],
];

/** Conversation ids in the path, and the expected outcome. */
const IDS: [what: string, id: string, outcome: string][] = [
  ["NUL", "%00", "400 400006"],
  ["NUL after a group's id", "group:g_team%00", "400 400006"],
  ["a slash", "group:g%2Fteam", "403 400008"],
  ["a line break", "group:g_team%0d%0a", "403 400008"],
  ["an emoji", "group:%F0%9F%98%80", "403 400008"],
  ["a colon too many", "bot:app_bot:u_alice", "403 400008"],
  ["no id", "group:", "403 400008"],
  ["no kind", ":g_team", "403 400008"],
  ["__proto__", "__proto__", "403 400008"],
  ["a quote", "group:g_team'%20or%20'1'='1", "403 400008"],
  ["a percent sign", "group:g_team%25", "403 400008"],
  ["an id of 129 characters", `group:${"x".repeat(129)}`, "403 400008"],
  ["dots", "..", "403 400008"],
  ["encoded dots", "%2e%2e", "403 400008"],
  ["a malformed percent sequence", "group:%zz", "404 "],
  ["half a UTF-8 sequence", "group:%e5%ae", "404 "],
  ["an overlong slash", "group:%c0%af", "404 "],
  ["a lone surrogate", "group:%ed%a0%80", "404 "],
  ["10 KB", `group:${"x".repeat(10_000)}`, "404 "],
];

const QUERIES = [
  "limit=%00",
  "limit[]=1",
  "limit=1e309",
  "limit=NaN",
  "beforeSeq=-9223372036854775809",
  "beforeSeq=9223372036854775808",
  "beforeSeq=1e300",
  "beforeSeq=Infinity",
  "beforeSeq=%F0%9F%98%80",
  "limit=1&limit=1",
];

/** Requests `target` unchanged; a client library would normalise it. */
async function getRaw(world: World, target: string, headers: string[] = []): Promise<Answer> {
  const lines = [`GET ${target} HTTP/1.1`, "Host: portico", "Connection: close", ...headers];
  const whole = await sendRaw(world.url, Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"));
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(whole)?.[1]);
  const end = whole.indexOf("\r\n\r\n");
  const body = whole.slice(end + 4);
  const text = /\r\ntransfer-encoding: chunked/i.test(whole.slice(0, end)) ? joinedChunks(body) : body;
  return { status, headers: {}, bytes: Buffer.from(whole, "latin1"), text, json: JSON.parse(text) };
}

/** Decodes a chunked body. */
function joinedChunks(chunked: string): string {
  let joined = "";
  for (let at = 0; ; ) {
    const line = chunked.indexOf("\r\n", at);
    const length = Number.parseInt(chunked.slice(at, line), 16);
    if (length === 0) return joined;
    joined += chunked.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
}

/** Signs alice in and returns the headers of her calls. */
async function signIn(world: World): Promise<string> {
  const answer = await send(`${world.url}${CLIENT}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(alice),
  });
  return `Bearer ${answer.json.value.accessToken}`;
}

onBothEngines("hostile calls of the client API", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const TEAM = "conversations/group:g_team/messages";
  let signedIn: Promise<string> | null = null;
  const tokenOf = () => {
    signedIn ??= signIn(world());
    return signedIn;
  };
  const post = async (path: string, body: string | Buffer, other: Sending = {}) =>
    send(`${world().url}${CLIENT}/${path}`, {
      method: "POST",
      body,
      ...other,
      headers: { authorization: await tokenOf(), "content-type": "application/json", ...other.headers },
    });

  for (const [what, body] of Object.entries(REFUSED)) {
    test(`${what} as the body of a sign-in and of a post: 400 + 400006, or too large for a sign-in`, async () => {
      for (const path of ["auth/login", TEAM]) {
        const answer = await post(path, body);
        if (path !== TEAM && body.length > 8_192) assertRefused(answer, 413, "413001");
        else assertRefused(answer, 400, "400006");
        assert.ok(answer.text.length < 1_000, "the answer does not grow with what was sent");
      }
      assertPrototypesUnchanged();
    });
  }
  for (const [content, status] of CONTENTS) {
    test(`a post of ${content.slice(0, 60)} gives ${status}`, async () => {
      const answer = await post(TEAM, `{"msgType":"text","content":${content}}`);
      if (status === 200) assertSuccess(answer);
      else assertRefused(answer, 400, "400006");
      const member = await MemberClient.signIn(world(), alice);
      assertSuccess(await member.get(`${TEAM}?limit=1`));
      assertPrototypesUnchanged();
    });
  }
  for (const [what, id, outcome] of IDS) {
    test(`a conversation id with ${what} gives ${outcome}`, async () => {
      const path = `${CLIENT}/conversations/${id}/messages`;
      const answer = await getRaw(world(), path, [`Authorization: ${await tokenOf()}`]);
      assert.equal(`${answer.status} ${answer.json.code ?? ""}`, outcome, answer.text);
    });
  }
  for (const query of QUERIES) {
    test(`messages with ${query} are answered without an internal error`, async () => {
      const path = `${CLIENT}/${TEAM}?${query}`;
      const answer = await getRaw(world(), path, [`Authorization: ${await tokenOf()}`]);
      assert.ok(answer.status === 200 || answer.status === 400, answer.text.slice(0, 200));
    });
  }
  for (const [what, authorization] of [
    ["nothing", ""],
    ["a scheme alone", "Bearer"],
    ["a token of 10 KB", `Bearer ${"x".repeat(10_000)}`],
    ["a token with a quote", "Bearer ' or '1'='1"],
    ["a token with a percent sequence", "Bearer %00"],
    ["a token above ASCII", "Bearer \xe9\xff"],
    ["a token with a tab", "Bearer a\tb"],
    ["two tokens", "Bearer a, Bearer b"],
    ["__proto__", "Bearer __proto__"],
    ["a user and password", "Basic YWxpY2U6YWxpY2U="],
  ] as const) {
    test(`${what} in place of a token: 401`, async () => {
      const answer = await getRaw(world(), `${CLIENT}/conversations`, [`Authorization: ${authorization}`]);
      assertUnauthenticated(answer);
    });
  }
  test("a second Authorization header does not help", async () => {
    const token = await tokenOf();
    const both = ["Authorization: Bearer garbage", `Authorization: ${token}`];
    assertUnauthenticated(await getRaw(world(), `${CLIENT}/conversations`, both));
  });

  for (const [what, path, status] of [
    ["a sign-in", "auth/login", 413],
    ["a post", TEAM, 413],
    ["a call of no route", "nowhere", 404],
  ] as const) {
    test(`${what} of 4 MiB is answered with ${status} while it is still being sent`, async () => {
      const body = "x".repeat(4 * 1024 * 1024);
      for (const chunked of [false, true]) {
        assert.equal((await post(path, body, { chunked })).status, status);
      }
    });
  }
  test("any JSON as the body of a sign-in is answered without an internal error", async () => {
    const account = fc.record(
      { tenantId: fc.jsonValue(), username: fc.jsonValue(), password: fc.jsonValue() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), account), async (value) => {
        const { status } = await post("auth/login", JSON.stringify(value));
        assert.ok([400, 401, 413, 429].includes(status), String(status));
      }),
    );
  });

  test("after all these tests the service works normally", async () => {
    await assertUnharmed(world(), "app_bot");
  });
});

/** Like assertRefused, for an answer whose headers are unknown. */
function assertUnauthenticated(answer: Answer): void {
  assert.deepEqual([answer.status, answer.json.code, answer.json.value], [401, "400001", null]);
}
