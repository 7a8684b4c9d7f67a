import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, type TestContext, test } from "node:test";
import { ApiError } from "@portico/protocol";
import { BufferedBody } from "./buffered-body.ts";
import { HeavyJson } from "./heavy-json.ts";
import { parseJsonBody } from "./json-body.ts";

const settled = () => new Promise(setImmediate);
const requestOf = (socket: { destroyed: boolean }) => ({ socket }) as unknown as IncomingMessage;
const CONNECTED = requestOf({ destroyed: false });

const DEEP = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
const KEYS = `{${Array.from({ length: 3_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`;
const bodyOf = (json: string) => new BufferedBody(Buffer.from(json));

/** Parses heavy bodies, named by caller and number, each of which takes `tookMs`. */
function parserOf(t: TestContext, tookMs: number) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let cpuMs = 0;
  const heavyJson = new HeavyJson(() => {
    cpuMs += tookMs;
    return cpuMs;
  });
  const parsed: string[] = [];
  const refused: [string, unknown][] = [];
  const parse = async (name: string, request = CONNECTED) => {
    const body = bodyOf(DEEP);
    const note = () => void parsed.push(name);
    await heavyJson.parse(body, name.charAt(0), request)?.then(note, (error) => refused.push([name, error]));
    return body;
  };
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settled();
  };
  return { heavyJson, parsed, refused, parse, pass };
}

describe("heavy JSON", () => {
  test("of few parts is not heavy, however long it is", (t) => {
    const { heavyJson } = parserOf(t, 1);
    const texts = ["x".repeat(200_000), '[{:"\\'.repeat(30_000), "\\".repeat(9_999)];
    for (const text of texts) assert.equal(heavyJson.parse(bodyOf(JSON.stringify({ text })), "a", CONNECTED), null);
    assert.equal(heavyJson.parse(bodyOf(`"${"[".repeat(10_000)}`), "a", CONNECTED), null);
    assert.equal(heavyJson.parse(bodyOf("[".repeat(8_191)), "a", CONNECTED), null);
    for (const json of [DEEP, KEYS]) assert.notEqual(heavyJson.parse(bodyOf(json), "a", CONNECTED), null);
  });
  test("is parsed before it is needed, and its outcome is kept, also when it is not JSON", async (t) => {
    const { heavyJson } = parserOf(t, 0);
    const sound = bodyOf(KEYS);
    await heavyJson.parse(sound, "a", CONNECTED);
    assert.equal(parseJsonBody(sound), parseJsonBody(sound), "it is the same value");
    assert.deepEqual(parseJsonBody(sound), JSON.parse(KEYS));
    t.mock.timers.tick(1);
    const broken = bodyOf(DEEP.slice(1));
    await heavyJson.parse(broken, "a", CONNECTED);
    assert.ok(broken.parsed !== null);
    assert.throws(() => parseJsonBody(broken), { code: "400006" });
  });
  test("is parsed one at a time, with a rest that grows with the square of the time", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 5);
    void parse("a1");
    void parse("a2");
    await pass(0);
    assert.deepEqual(parsed, ["a1"]);
    await pass(249);
    assert.deepEqual(parsed, ["a1"]);
    await pass(1);
    assert.deepEqual(parsed, ["a1", "a2"]);
    await pass(250);
    void parse("a3");
    await pass(0);
    assert.deepEqual(parsed, ["a1", "a2", "a3"], "after the rest it is not waited for");
  });
  test("rests for two seconds at most, and for eight after the same caller's", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 500);
    for (const name of ["a1", "a2", "b1"]) void parse(name);
    await pass(1_999);
    assert.deepEqual(parsed, ["a1"]);
    await pass(1);
    assert.deepEqual(parsed, ["a1", "b1"]);
    await pass(5_999);
    assert.deepEqual(parsed, ["a1", "b1"]);
    await pass(1);
    assert.deepEqual(parsed, ["a1", "b1", "a2"]);
  });
  test("of others does not wait while only those wait whose rest is longer", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 500);
    for (const name of ["a1", "a2"]) void parse(name);
    await pass(2_000);
    void parse("b1");
    await pass(0);
    assert.deepEqual(parsed, ["a1", "b1"]);
    void parse("c1");
    await pass(2_000);
    assert.deepEqual(parsed, ["a1", "b1", "c1"]);
    await pass(4_000);
    assert.deepEqual(parsed, ["a1", "b1", "c1", "a2"]);
  });
  test("of one caller waits for one of each other caller, not for all", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 1);
    for (const name of ["a1", "a2", "a3", "b1"]) void parse(name);
    for (let n = 0; n < 4; n++) await pass(10);
    assert.deepEqual(parsed, ["a1", "a2", "b1", "a3"]);
  });
  test("that waits for ten seconds, or beside a hundred others, is refused with 429", async (t) => {
    const { parsed, refused, parse, pass } = parserOf(t, 500);
    for (let n = 0; n <= 101; n++) void parse(`a${n}`);
    await pass(0);
    assert.deepEqual(
      refused.map(([name]) => name),
      ["a101"],
    );
    for (let n = 0; n < 10; n++) await pass(1_000);
    assert.deepEqual(parsed, ["a0", "a1"]);
    assert.equal(refused.length, 100);
    for (const [, error] of refused) {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.retryAfterSeconds], ["429001", 1]);
    }
    await pass(6_000);
    void parse("a102");
    await pass(0);
    assert.equal(parsed.at(-1), "a102", "those who gave up take no turn");
  });
  test("is not parsed when its sender has gone", async (t) => {
    const { parsed, refused, parse, pass } = parserOf(t, 5);
    const socket = { destroyed: false };
    void parse("a1");
    const gone = parse("a2", requestOf(socket));
    void parse("a3");
    socket.destroyed = true;
    await pass(250);
    assert.deepEqual(parsed, ["a1", "a3"]);
    assert.equal((await gone).parsed, null);
    assert.match(String(refused[0]?.[1]), /RequestAborted/);
  });
});
