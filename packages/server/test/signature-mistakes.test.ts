import assert from "node:assert/strict";
import { createHmac, hash, randomUUID } from "node:crypto";
import { canonicalQuery } from "@portico/protocol";
import { INSTALLATIONS, MESSAGES, textBody } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { ConsoleClient, consoleAcme, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { assertKeptSecret, explanationOf } from "./support/explanations.ts";
import { send } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

const SECRET = Buffer.from("a secret of thirty-two bytes....").toString("base64");
const HEX_SECRET = "00112233445566778899aabbccddeeff";
const OTHER_SECRET = "4f3e-2d1c-other-0b9a";

/** The eight lines to sign, and their parts. */
interface Due {
  lines: string[];
  path: string;
  rawQuery: string;
  body: string;
}

/** One mistake in signing; everything that is omitted is done correctly. */
interface Mistake {
  target?: string;
  body?: string;
  appId?: string;
  /** The text that is signed instead of the lines. */
  text?: (due: Due) => string;
  key?: string | Buffer;
  write?: (tag: Buffer) => string;
  /** Another way of signing. */
  sign?: (due: Due) => Buffer;
  expected?: string[];
}

/** The lines joined, with one of them replaced. */
const withLine = (number: number, make: (due: Due) => string) => (due: Due) =>
  due.lines.with(number - 1, make(due)).join("\n");
const withBody = (make: (body: string) => string) => withLine(8, ({ body }) => hash("sha256", make(body), "hex"));
const QUERY = `${INSTALLATIONS}?targetType=GROUP&status=ACTIVE&note=a%2fb%20c%27d%2Be`;

const MISTAKES: Record<string, Mistake> = {
  "signature-upper-case": { write: (tag) => tag.toString("hex").toUpperCase() },
  "signature-base64": { write: (tag) => tag.toString("base64") },
  "signature-base64, the URL alphabet": { write: (tag) => tag.toString("base64url") },
  "path-with-query": { target: QUERY, text: withLine(2, ({ path, rawQuery }) => `${path}?${rawQuery}`) },
  "path-with-query, line 3 empty": {
    target: QUERY,
    text: ({ lines, path, rawQuery }) => lines.with(1, `${path}?${rawQuery}`).with(2, "").join("\n"),
  },
  "path-decoded": { target: "/api/open/v2/bot/%61pps", text: withLine(2, ({ path }) => decodeURIComponent(path)) },
  "query-omitted": { target: QUERY, text: withLine(3, () => "") },
  "query-as-sent": { target: QUERY, text: withLine(3, ({ rawQuery }) => rawQuery) },
  "query-unsorted": {
    target: QUERY,
    text: withLine(3, ({ rawQuery }) => rawQuery.split("&").map(canonicalQuery).join("&")),
  },
  "query-decoded": { target: QUERY, text: withLine(3, ({ lines }) => decodeURIComponent(lines[2] ?? "")) },
  "query-decoded, unsorted": { target: QUERY, text: withLine(3, ({ rawQuery }) => decodeURIComponent(rawQuery)) },
  "query-plus-for-space": { target: QUERY, text: withLine(3, ({ lines }) => (lines[2] ?? "").replaceAll("%20", "+")) },
  "query-plus-taken-for-space": {
    target: `${INSTALLATIONS}?note=a+b`,
    text: withLine(3, () => "note=a%20b"),
  },
  "query-lower-case-escapes": {
    target: QUERY,
    text: withLine(3, ({ lines }) => (lines[2] ?? "").replaceAll("%2F", "%2f").replaceAll("%2B", "%2b")),
  },
  "query-too-little-encoded": { target: QUERY, text: withLine(3, ({ lines }) => (lines[2] ?? "").replace("%27", "'")) },
  "query-with-question-mark": { target: QUERY, text: withLine(3, ({ lines }) => `?${lines[2]}`) },
  "body-hash-of-nothing": { text: withBody(() => "") },
  "body-hash-omitted": { target: INSTALLATIONS, text: withLine(8, () => "") },
  "body-unhashed": { text: withLine(8, ({ body }) => body) },
  "body-hash-upper-case": { text: withLine(8, ({ lines }) => (lines[7] ?? "").toUpperCase()) },
  "body-hash-base64": { text: withLine(8, ({ lines }) => Buffer.from(lines[7] ?? "", "hex").toString("base64")) },
  "body-reformatted, sent with spaces": {
    body: JSON.stringify(JSON.parse(textBody("你好 / :,")), null, 2),
    text: withBody((body) => JSON.stringify(JSON.parse(body))),
  },
  "body-reformatted, signed as Python spells it": {
    body: textBody('你好, "x": y'),
    text: withBody((body) =>
      body
        .replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token.length === 1 ? `${token} ` : token))
        .replace("你好", "\\u4f60\\u597d"),
    ),
  },
  "body-reformatted, signed as PHP spells it": {
    body: textBody("a/b 你"),
    text: withBody((body) => body.replace("/", "\\/").replace("你", "\\u4f60")),
  },
  "body-line-break, signed with one": { text: withBody((body) => `${body}\n`) },
  "body-line-break, sent with one": { body: `${textBody("x")}\n`, text: withBody((body) => body.trimEnd()) },
  "timestamp-in-seconds": { text: withLine(6, ({ lines }) => (lines[5] ?? "").slice(0, -3)) },
  "method-lower-case": { text: withLine(1, () => "post") },
  "trailing-line-feed": { text: ({ lines }) => `${lines.join("\n")}\n` },
  "lines-by-crlf": { text: ({ lines }) => lines.join("\r\n") },
  "lines-by-escape": { text: ({ lines }) => lines.join("\\n") },
  "secret-base64-decoded": { key: Buffer.from(SECRET, "base64") },
  "secret-hex-decoded": { appId: "app_hex", key: Buffer.from(HEX_SECRET, "hex") },
  "secret-line-break": { key: `${SECRET}\n` },
  "key-and-text-swapped": {
    sign: ({ lines }) => createHmac("sha256", lines.join("\n")).update(SECRET).digest(),
  },
  "other-credential": { key: OTHER_SECRET },
  "other-credential, named in what was signed": { key: OTHER_SECRET, text: withLine(5, () => "cred_other") },
  "two mistakes at once": {
    text: ({ lines }) => `${lines.join("\n")}\n`,
    write: (tag) => tag.toString("base64"),
    expected: ["trailing-line-feed", "signature-base64"],
  },
  "none that is known": { key: "quite another secret", expected: [] },
  "no signature at all": { write: () => "let me in", expected: [] },
};

onBothEngines("the diagnosis of a signature that does not match", (engine, test) => {
  const credential = { credentialId: "cred_main", appSecret: SECRET };
  const other = { credentialId: "cred_other", appSecret: OTHER_SECRET, rotatedAt: new Date().toISOString() };
  const hex = { credentialId: "cred_main_hex", appSecret: HEX_SECRET };
  const world = suiteWorld(
    engine,
    consoleAcme(
      ownedApp("app_main", { credentials: [credential, other] }),
      ownedApp("app_hex", { credentials: [hex] }),
    ),
  );

  for (const [name, mistake] of Object.entries(MISTAKES)) {
    test(name, async () => {
      const { target = MESSAGES, appId = "app_main", write = (tag) => tag.toString("hex") } = mistake;
      // Only a limited number is diagnosed per second.
      world().clock.turn(1_000);
      const { credentialId, appSecret } = appId === "app_hex" ? hex : credential;
      const method = target === MESSAGES ? "POST" : "GET";
      const body = method === "GET" ? "" : (mistake.body ?? textBody("hello"));
      const [path = "", rawQuery = ""] = target.split("?");
      const [timestamp, nonce] = [String(world().clock.now()), randomUUID()];
      const bodyHash = hash("sha256", body, "hex");
      const lines = [method, path, canonicalQuery(rawQuery), appId, credentialId, timestamp, nonce, bodyHash];
      const due = { lines, path, rawQuery, body };
      const { key = appSecret, text = () => lines.join("\n") } = mistake;
      const tag = mistake.sign?.(due) ?? createHmac("sha256", key).update(text(due)).digest();

      const answer = await send(world().url + target, {
        method,
        body: body === "" ? undefined : body,
        headers: {
          "X-Open-App-Id": appId,
          "X-Open-Credential-Id": credentialId,
          "X-Open-Timestamp": timestamp,
          "X-Open-Nonce": nonce,
          "X-Open-Signature": write(tag),
          "content-type": body === "" ? null : "application/json",
        },
      });
      assertRefused(answer, 401, "400001", "身份认证失败");
      const { reqNo } = answer.json;
      const explanation = await explanationOf(await ConsoleClient.logIn(world()), appId, reqNo);
      assert.equal(explanation.check, "signature");
      assert.equal(explanation.canonicalString, lines.join("\n"));
      const details = explanation.details as { mistakes: string[]; lines: { value: string }[]; bodyLength: number };
      assert.deepEqual(details.mistakes, mistake.expected ?? [name.split(",")[0]]);
      assert.deepEqual(
        details.lines.map(({ value }) => value),
        lines,
      );
      assert.equal(details.bodyLength, Buffer.byteLength(body));
      assert.ok(explanation.hints.length > 0);
      const expected = createHmac("sha256", appSecret).update(lines.join("\n")).digest();
      const told = [SECRET, HEX_SECRET, OTHER_SECRET, ...["hex", "base64", "base64url"].flatMap(spelt(expected, tag))];
      await assertKeptSecret(world(), reqNo, explanation, told);
    });
  }
});

/** The signature in one of its spellings: neither the expected nor the received one may appear. */
function spelt(...tags: Buffer[]) {
  return (encoding: string) => tags.map((tag) => tag.toString(encoding as BufferEncoding));
}
