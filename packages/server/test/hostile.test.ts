import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { acme, alice, bob, botApp, sendText, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { assertPrototypesUnchanged, assertUnharmed } from "./support/unharmed.ts";
import { suiteWorld, type World } from "./support/world.ts";

const LIMIT = 262_144;
const complete = JSON.parse(textBody("x"));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
/** An otherwise valid send in which the value of `member` is the JSON text `json`. */
const withMember = (member: string, json: string) => textBody("x").replace(/}$/, `,${JSON.stringify(member)}:${json}}`);
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();
/** A valid send whose text consists of the given bytes. */
const withTextBytes = (...bytes: number[]) => {
  const [head = "", tail = ""] = textBody("|").split("|");
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]);
};

/** Invalid bodies of a send, each declared and signed as JSON. */
const REFUSED: Record<string, string | Buffer> = {
  "no byte": Buffer.alloc(0),
  whitespace: " \t\r\n",
  "an opening brace": "{",
  "a body cut off": textBody("x").slice(0, -1),
  "a body and more": `${textBody("x")} x`,
  "two bodies": textBody("x") + textBody("x"),
  "single quotes": "{'receiveIdType':'group_id'}",
  "keys without quotes": '{receiveIdType:"group_id"}',
  "a trailing comma": textBody("x").replace(/}$/, ",}"),
  "a comment": `/* hello */${textBody("x")}`,
  "a raw line feed in a text": textBody("x").replace('"x"', '"\n"'),
  "an unknown escape": textBody("x").replace('"x"', '"\\x41"'),
  "half a \\u escape": textBody("x").replace('"x"', '"\\u00"'),
  NaN: withMember("clientMessageId", "NaN"),
  "a hexadecimal number": withMember("clientMessageId", "0x10"),
  "a form": "receiveIdType=group_id&receiveId=g_team&msgType=text",
  "an XML document": '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  null: "null",
  true: "true",
  false: "false",
  "a number": "0",
  "a negative fraction": "-1.5e-7",
  "a number beyond all doubles": "1e400",
  "a number of 200,000 digits": "9".repeat(200_000),
  "a text": '"text"',
  "an empty text": '""',
  "a list": "[]",
  "a list of one send": `[${textBody("x")}]`,
  "an empty object": "{}",
  "a receiveId that is 1e400": withMember("receiveId", "1e400"),
  "a receiveId of 200,000 digits": withMember("receiveId", "9".repeat(200_000)),
  "a clientMessageId of -0": withMember("clientMessageId", "-0"),
  "a clientMessageId of 200,000 characters": withMember("clientMessageId", `"${"x".repeat(200_000)}"`),
  "a msgType of 200,000 characters": withMember("msgType", `"${"x".repeat(200_000)}"`),
  "100,000 nested lists": nested(100_000),
  "262,144 opening brackets": "[".repeat(LIMIT),
  "40,000 nested objects": nestedObjects(40_000),
  "a content of 60,000 nested lists": withMember("content", nested(60_000)),
  "a content of 40,000 nested objects": withMember("content", nestedObjects(40_000)),
  "a text of 60,000 nested lists": withMember("content", `{"text":${nested(60_000)}}`),
  "a msgType of 60,000 nested lists": withMember("msgType", nested(60_000)),
  "an object of 26,000 keys": `{${Array.from({ length: 26_000 }, (_, n) => `"${n.toString(36)}":0`)}}`,
  "an object of 26,000 times one key": `{${Array.from({ length: 26_000 }, () => '"key":0')}}`,
  "a list of 100,000 numbers": `[${Array.from({ length: 100_000 }, () => "1")}]`,
  "a list of 80,000 empty objects": `[${Array.from({ length: 80_000 }, () => "{}")}]`,
  "UTF-16 with a byte order mark": Buffer.from(`\ufeff${textBody("x")}`, "utf16le"),
  "UTF-16 without one": Buffer.from(textBody("x"), "utf16le"),
  "UTF-16, big-endian": utf16be(textBody("x")),
  "UTF-8 with a byte order mark": `\ufeff${textBody("x")}`,
  "Latin-1": Buffer.from(textBody("é"), "latin1"),
  "bytes that are no UTF-8": withTextBytes(0xff, 0xfe),
  "half a UTF-8 sequence": withTextBytes(0xe5, 0xae),
  "an overlong slash": withTextBytes(0xc0, 0xaf),
  "an overlong NUL": withTextBytes(0xc0, 0x80),
  "a lone surrogate as bytes": withTextBytes(0xed, 0xa0, 0x80),
  "a surrogate pair as bytes (CESU-8)": withTextBytes(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
  "a code point beyond Unicode": withTextBytes(0xf4, 0x90, 0x80, 0x80),
  "a raw NUL in a text": withTextBytes(0),
  "NUL after the body": `${textBody("x")}\0`,
  "200,000 NULs": Buffer.alloc(200_000),
  "random bytes": Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 167 + (n >> 3)) & 255)),
  "a body in gzip": gzipSync(textBody("x")),
};

/** Unusual but valid bodies of a send, and the resulting text in the conversation. */
const ACCEPTED: [what: string, body: string, text: string][] = [
  [
    "repeated keys",
    '{"content":{"text":"first"},"msgType":"card","receiveIdType":"group_id","receiveId":"g_team","msgType":"text","content":{"text":"first","text":"last"}}',
    "last",
  ],
  ["__proto__ on top", withMember("__proto__", '{"polluted":1,"msgType":"card"}'), "x"],
  ["__proto__ with every member of a send", `{"__proto__":${textBody("no")},${textBody("x").slice(1)}`, "x"],
  ["constructor.prototype", withMember("constructor", '{"prototype":{"polluted":1}}'), "x"],
  ["__proto__ in the content", withMember("content", '{"text":"x","__proto__":{"polluted":1,"text":"no"}}'), "x"],
  ["__proto__ escaped", withMember("content", '{"text":"x","\\u005f_proto__":{"polluted":1}}'), "x"],
  [
    "keys named like methods",
    withMember("content", '{"text":"x","toString":1,"hasOwnProperty":0,"valueOf":null,"then":1,"toJSON":1}'),
    "x",
  ],
  [
    "a text of NUL, a lone surrogate and controls",
    withMember("content", '{"text":"\\u0000\\ud800\\u001f\\u2028"}'),
    "\u0000\ud800\u001f\u2028",
  ],
  ["60,000 nested lists beside the text", withMember("content", `{"text":"x","deep":${nested(60_000)}}`), "x"],
  ["40,000 nested objects beside everything", withMember("deep", nestedObjects(40_000)), "x"],
  ["numbers beyond all doubles beside everything", withMember("huge", `[1e400,-1e400,${"9".repeat(100_000)}]`), "x"],
  ["200,000 spaces around it", `${" ".repeat(100_000)}${textBody("x")}${"\n".repeat(100_000)}`, "x"],
  [
    "25,000 keys nobody asked for",
    `{${Array.from({ length: 25_000 }, (_, n) => `"${n}":0,`).join("")}${textBody("x").slice(1)}`,
    "x",
  ],
];

onBothEngines("hostile bodies of a signed send", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_first"), botApp("app_second")));
  const sendBody = (body: string | Buffer) => sendText(world(), "app_bot", "", { body });

  for (const [what, body] of Object.entries(REFUSED)) {
    test(`${what}: 400 + 400006`, async () => {
      const answer = await sendBody(body);
      assertRefused(answer, 400, "400006");
      assert.ok(answer.text.length < 1_000, "the answer does not grow with what was sent");
    });
  }
  for (const [what, body, text] of ACCEPTED) {
    test(`${what}: plain data, and the conversation has the text`, async () => {
      const answer = await sendBody(body);
      assertSuccess(answer);
      const member = await MemberClient.signIn(world(), alice);
      const message = (await member.get("conversations/group:g_team/messages?limit=1")).json.value.items[0];
      assert.deepEqual([message.messageId, message.content], [answer.json.value.messageId, { text }]);
      assertPrototypesUnchanged();
    });
  }
  test("__proto__ cannot supply missing fields", async () => {
    assertRefused(await sendBody(`{"__proto__":${textBody("x")}}`), 400, "400006");
    assertRefused(await sendBody(withMember("content", '{"__proto__":{"text":"x"}}')), 400, "400006");
  });
  test("mentions of every kind are kept, ignored or refused, without an internal error", async () => {
    for (const [mentions, status] of [
      ['["\\u0000"]', 200],
      ['["\\u0000","alice","a\\u0000b"]', 200],
      ['["\\ud800"]', 200],
      ['["__proto__","constructor","toString"]', 200],
      ['[{"userId":"__proto__"},{"__proto__":{"userId":"alice"}}]', 200],
      [`["${"x".repeat(200_000)}"]`, 200],
      [`[${nested(60_000)}]`, 400],
      [JSON.stringify(Array.from({ length: 500 }, (_, n) => `nobody ${n}`)), 200],
      [JSON.stringify(Array.from({ length: 501 }, (_, n) => `nobody ${n}`)), 400],
      [JSON.stringify(Array.from({ length: 20_000 }, () => "alice")), 200],
      ["[[[1]]]", 400],
      ["[true]", 400],
      ['[{"userId":{"userId":"alice"}}]', 400],
      ["{}", 400],
    ] as const) {
      const answer = await sendBody(withMember("content", `{"text":"x","mentions":${mentions}}`));
      assert.equal(answer.status, status, `${mentions.slice(0, 80)}: ${answer.text}`);
    }
  });

  test("262,144 bytes reach the parser, valid or not", async () => {
    const send = (text: string) => sendBody(textBody(text));
    const room = LIMIT - Buffer.byteLength(textBody(""));
    assertSuccess(await send("x".repeat(room)));
    const member = await MemberClient.signIn(world(), alice);
    const [message] = (await member.get("conversations/group:g_team/messages?limit=1")).json.value.items;
    assert.equal(message.content.text.length, room);
    assertRefused(await sendBody("x".repeat(LIMIT)), 400, "400006");
    assertRefused(await sendText(world(), "app_bot", "", { body: "x".repeat(LIMIT), chunked: true }), 400, "400006");
  });
  for (const bytes of [LIMIT + 1, 4 * 1024 * 1024]) {
    test(`${bytes.toLocaleString("en")} bytes give 413 + 413001, announced or not`, async () => {
      const body = textBody("x").padEnd(bytes);
      assertRefused(await sendBody(body), 413, "413001");
      assertRefused(await sendText(world(), "app_bot", "", { body, chunked: true }), 413, "413001");
    });
    test(`${bytes.toLocaleString("en")} bytes without a signature give 413 when announced, else 401`, async () => {
      const url = `${world().url}/api/open/v2/bot/messages`;
      const sending = { method: "POST", headers: { "content-type": "application/json" }, body: "x".repeat(bytes) };
      assertRefused(await send(url, sending), 413, "413001");
      assertRefused(await send(url, { ...sending, chunked: true }), 401, "400001");
    });
  }

  test("a body that takes long to parse waits for the one before, of any API, and nobody else waits", async () => {
    const content = `{"text":"x","deep":${nestedObjects(40_000)}}`;
    const post = (member: MemberClient) =>
      member.post("conversations/group:g_team/messages", `{"msgType":"text","content":${content}}`);
    const sendHeavy = (appId: string) => sendText(world(), appId, "", { body: withMember("content", content) });
    const [asAlice, asBob] = [await MemberClient.signIn(world(), alice), await MemberClient.signIn(world(), bob)];
    // None has sent such a body before: on a slow machine, who has waits up to eight seconds for the next.
    for (const [first, second] of [
      [() => post(asAlice), () => sendHeavy("app_first")],
      [() => sendHeavy("app_second"), () => post(asBob)],
    ] as const) {
      const answered: string[] = [];
      const note = (name: string) => (answer: Answer) => {
        assertSuccess(answer);
        answered.push(name);
      };
      // Whatever the machine, the rest after the first lasts far longer than a send.
      const heavy = [first().then(note("heavy")), second().then(note("heavy"))];
      await Promise.race(heavy);
      await sendBody(textBody("x")).then(note("light"));
      await Promise.all(heavy);
      assert.deepEqual(answered, ["heavy", "light", "heavy"]);
    }
  });
  test("after all these tests the service works normally", async () => {
    await assertUnharmed(world(), "app_bot");
  });
});

/** JSON values with the most dangerous keys and texts. */
const key = fc.oneof(
  fc.constantFrom(
    "text",
    "mentions",
    "userId",
    "receiveId",
    "msgType",
    "content",
    "__proto__",
    "constructor",
    "",
    "\0",
  ),
  fc.string({ unit: "binary", maxLength: 5 }),
);
const { value: jsonValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -0,
      1e308,
      2 ** 53,
      "",
      "text",
      "group_id",
      "g_team",
      "alice",
      "\0",
      "\ud800",
    ),
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
const jsonText = jsonValue.map((value) => JSON.stringify(value));

/** A valid send with some members replaced, added or removed, at the top level and in the content. */
const changes = fc.dictionary(
  fc.constantFrom("receiveIdType", "receiveId", "msgType", "content", "clientMessageId", "other"),
  fc.option(jsonValue, { nil: undefined }),
  { maxKeys: 2 },
);
const contentChanges = fc.dictionary(
  fc.constantFrom("text", "mentions", "other"),
  fc.option(jsonValue, { nil: undefined }),
);
const changedSend = fc
  .tuple(changes, contentChanges)
  .map(([top, inner]) => JSON.stringify({ ...complete, content: { ...complete.content, ...inner }, ...top }));

/** A valid send with some of its bytes replaced, added or removed. */
const damagedSend = fc
  .array(fc.record({ at: fc.nat({ max: 100 }), cut: fc.nat({ max: 3 }), put: fc.uint8Array({ maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((damages) =>
    damages.reduce(
      (bytes, { at, cut, put }) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]),
      Buffer.from(textBody("构建 #12")),
    ),
  );

onBothEngines("arbitrary bodies", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const numRuns = 300;
  /** Asserts that `answer` is not an internal error. */
  const assertAnswered = (answer: Answer, body: string | Buffer) => {
    const outcomes = ["200 000000", "400 400006", "403 400008"];
    assert.ok(outcomes.includes(`${answer.status} ${answer.json?.code}`), `${body}: ${answer.text}`);
  };
  const assertEveryAnswered = (
    bodies: fc.Arbitrary<string | Buffer>,
    sendIt: (world: World, body: string | Buffer) => Promise<Answer>,
  ) =>
    fc.assert(
      fc.asyncProperty(bodies, async (body) => assertAnswered(await sendIt(world(), body), body)),
      { numRuns },
    );
  const asBot = (to: World, body: string | Buffer) => sendText(to, "app_bot", "", { body });

  test("any JSON value as the body of a send is answered without an internal error", async () => {
    await assertEveryAnswered(jsonText, asBot);
  });
  test("any change of a valid send is answered without an internal error", async () => {
    await assertEveryAnswered(changedSend, asBot);
  });
  test("any damage to the bytes of a valid send is answered without an internal error", async () => {
    await assertEveryAnswered(damagedSend, asBot);
  });
  test("any change of a valid member's post is answered without an internal error", async () => {
    const member = await MemberClient.signIn(world(), alice);
    await assertEveryAnswered(changedSend, (_, body) => member.post("conversations/group:g_team/messages", `${body}`));
  });
  test("after all these tests the service works normally", async () => {
    await assertUnharmed(world(), "app_bot");
  });
});
