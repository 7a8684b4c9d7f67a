import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import vectors from "../vectors/signature.json" with { type: "json" };
import { canonicalQuery } from "./canonical.ts";
import { CARD_LIMITS } from "./cards/contract.ts";
import { EVENT_TYPES } from "./events.ts";
import { BOUNDS, LIMITS } from "./limits.ts";
import { sha256Hex, signRequest, signWebhook } from "./signature.ts";

const page = readFileSync(new URL("../../../docs/contract/signing.md", import.meta.url), "utf8");

/** The text under a heading, up to the next one. */
function section(heading: string): string {
  const start = page.indexOf(`\n${heading}\n`);
  assert.notEqual(start, -1, `the page has no heading ${heading}`);
  const end = page.slice(start + 1).search(/\n#{2,3} /);
  return end === -1 ? page.slice(start) : page.slice(start, start + 1 + end);
}

/** The fenced code blocks of a language. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\\n\`\`\``, "gs"))].map(([, block = ""]) => block);
}

/** The rows of a two-column table, with backquotes around both cells or the second. */
function rows(text: string): Map<string, string> {
  const found = text.matchAll(/^\| `?([^|`]+)`? \| `([^|]*)` \|$/gm);
  return new Map([...found].map(([, name = "", value = ""]) => [name.trim(), value.replaceAll("`", "")]));
}

/** A value of an example. */
function exampleValue(table: Map<string, string>, name: string): string {
  const value = table.get(name);
  assert.notEqual(value, undefined, `the example does not say its ${name}`);
  return value ?? "";
}

describe("docs/contract/signing.md", () => {
  for (const heading of ["## Example: a send", "## Example: a call with a query"]) {
    test(`the values under "${heading}" match the code's results`, () => {
      const text = section(heading);
      const table = rows(text);
      const [body = ""] = blocks(text, "json");
      const signed = signRequest({
        method: exampleValue(table, "method"),
        path: exampleValue(table, "path"),
        rawQuery: table.get("query") ?? "",
        appId: exampleValue(table, "appId"),
        credentialId: exampleValue(table, "credentialId"),
        appSecret: exampleValue(table, "appSecret"),
        timestamp: Number(exampleValue(table, "timestamp")),
        nonce: exampleValue(table, "nonce"),
        body,
      });
      assert.deepEqual(blocks(text, "text"), [signed.canonicalString]);
      assert.match(text, new RegExp(`The signature is \`${signed.signature}\``));
      if (body === "") return;
      assert.match(text, new RegExp(`Its SHA-256 is \`${sha256Hex(body)}\``));
      assert.match(text, new RegExp(`The body, ${Buffer.byteLength(body)} bytes`));
    });
  }
  test("the hash of an empty body is that of zero bytes", () => {
    assert.ok(section("## The body").includes(sha256Hex("")));
  });
  test("each query of the table has the canonical form beside it", () => {
    const table = rows(section("## The canonical query"));
    assert.equal(table.size, 11);
    for (const [raw, canonical] of table) assert.equal(canonicalQuery(raw), canonical, raw);
  });
  test("the signature of the delivery matches the code's result", () => {
    const text = section("### Example: a delivery");
    const table = rows(text);
    const [body = ""] = blocks(text, "json");
    const timestamp = Number(exampleValue(table, "timestamp"));
    const signature = signWebhook(exampleValue(table, "secret"), exampleValue(table, "eventId"), timestamp, body);
    assert.match(text, new RegExp(`the signature is \`${signature}\``));
  });
});

describe("docs/contract/events.md", () => {
  test("the example delivery is signed with the given secret", () => {
    const text = readFileSync(new URL("../../../docs/contract/events.md", import.meta.url), "utf8");
    const [delivery = ""] = blocks(text, "http");
    const [head = "", body = ""] = delivery.split("\n\n");
    const headers = new Map(head.split("\n").map((line) => line.split(": ") as [string, string]));
    const [, secret = ""] = /signed with the secret `([^`]+)`/.exec(text) ?? [];
    const timestamp = Number(headers.get("X-Open-Timestamp"));
    const signature = signWebhook(secret, headers.get("X-Open-Event-Id") ?? "", timestamp, body);
    assert.equal(headers.get("X-Open-Signature"), signature);
  });
  test("it has an example of each event type", () => {
    const text = readFileSync(new URL("../../../docs/contract/events.md", import.meta.url), "utf8");
    for (const type of EVENT_TYPES) {
      assert.ok(text.includes(`{"eventId":"evt_`) && text.includes(`"eventType":"${type}"`), type);
      assert.ok(text.includes(`\n## ${type}\n`), type);
    }
  });
});

describe("docs/contract/limits.md", () => {
  const text = readFileSync(new URL("../../../docs/contract/limits.md", import.meta.url), "utf8");
  for (const [name, value] of Object.entries({ ...LIMITS, ...BOUNDS, ...CARD_LIMITS })) {
    test(`it has the value of ${name}`, () => {
      const shown = new RegExp(`(?<![\\d,])${value.toLocaleString("en-US")}(?![\\d,]*\\d)`);
      assert.match(text, shown);
    });
  }
});

const PYTHON = "python3";
const noPython = spawnSync(PYTHON, ["--version"]).error ? `there is no ${PYTHON} on the PATH` : false;

/** Runs the page's Python, followed by `driver`, which reads `input` as JSON and prints the result as JSON. */
function runPython(source: string, driver: string, input: unknown): unknown {
  const program = `${source}\nimport base64, json, sys\n${driver}\n`;
  const { status, stdout, stderr } = spawnSync(PYTHON, ["-c", program], {
    input: JSON.stringify(input),
    encoding: "utf8",
    env: { ...process.env, PYTHONIOENCODING: "utf-8" },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

describe("the Python of docs/contract/signing.md", { skip: noPython }, () => {
  test("signs every vector as the code does", () => {
    const [source = ""] = blocks(section("## In Python"), "python");
    const driver = `print(json.dumps([sign(v["method"], v["path"], v["rawQuery"], base64.b64decode(v["bodyBase64"]), v["appId"],
  v["credentialId"], v["appSecret"], v["timestamp"], v["nonce"])["X-Open-Signature"] for v in json.load(sys.stdin)]))`;
    const expected = vectors.request.map(({ signature }) => signature);
    assert.deepEqual(runPython(source, driver, vectors.request), expected);
  });
  test("accepts a valid delivery, and refuses another body, another secret and an old timestamp", () => {
    const [source = ""] = blocks(section("### How to verify one"), "python");
    const driver = `def judge(v):
  headers = {"X-Open-Timestamp": str(v["timestamp"]), "X-Open-Event-Id": v["eventId"], "X-Open-Signature": v["signature"]}
  body, at = v["body"].encode(), v["timestamp"]
  return [is_genuine(headers, body, v["secret"], at), is_genuine(headers, body + b" ", v["secret"], at),
    is_genuine(headers, body, "x" + v["secret"], at), is_genuine(headers, body, v["secret"], at + 300_001)]
print(json.dumps([judge(v) for v in json.load(sys.stdin)]))`;
    const expected = vectors.webhook.map(() => [true, false, false, false]);
    assert.deepEqual(runPython(source, driver, vectors.webhook), expected);
  });
});
