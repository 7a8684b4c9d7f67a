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

/**
 * Parses heavy bodies, named by caller and number; `lookMs` passes at each look at the clock. Others keep the process busy for a
 * tenth of the time.
 */
function parserOf(t: TestContext, lookMs = 0, othersShare = 0.1) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  let spent = 0;
  const heavyJson = new HeavyJson(() => {
    spent += lookMs;
    return spent + othersShare * Date.now();
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
    // One by one, as a timer that another one sets counts from the end of a tick.
    for (let passed = 0; passed < ms; passed++) t.mock.timers.tick(1);
    await settled();
  };
  return { heavyJson, parsed, refused, parse, pass };
}

/** How often the clock is looked at while a body is parsed, about. */
const LOOKS = Math.ceil(DEEP.length / 32);

/** Until so many are parsed. */
async function parsedFor(t: TestContext, parsed: string[], count: number) {
  for (let ms = 0; parsed.length < count && ms < 10_000; ms++) {
    t.mock.timers.tick(1);
    await settled();
  }
  assert.equal(parsed.length, count);
}

describe("heavy JSON", () => {
  test("of few parts is not heavy, however long it is", (t) => {
    const { heavyJson } = parserOf(t);
    const texts = ["x".repeat(200_000), '[{:"\\'.repeat(30_000), "\\".repeat(9_999)];
    for (const text of texts) assert.equal(heavyJson.parse(bodyOf(JSON.stringify({ text })), "a", CONNECTED), null);
    assert.equal(heavyJson.parse(bodyOf(`"${"[".repeat(10_000)}`), "a", CONNECTED), null);
    assert.equal(heavyJson.parse(bodyOf("[".repeat(8_191)), "a", CONNECTED), null);
    for (const json of [DEEP, KEYS]) assert.notEqual(heavyJson.parse(bodyOf(json), "a", CONNECTED), null);
  });
  test("is parsed before it is needed, and its outcome is kept, also when it is not JSON", async (t) => {
    const { heavyJson, pass } = parserOf(t);
    const sound = bodyOf(KEYS);
    await heavyJson.parse(sound, "a", CONNECTED);
    assert.equal(parseJsonBody(sound), parseJsonBody(sound), "it is the same value");
    assert.deepEqual(parseJsonBody(sound), JSON.parse(KEYS));
    await pass(50);
    const broken = bodyOf(DEEP.slice(1));
    await heavyJson.parse(broken, "a", CONNECTED);
    assert.ok(broken.parsed !== null);
    assert.throws(() => parseJsonBody(broken), { code: "400006" });
    await pass(50);
    const notUtf8 = new BufferedBody(Buffer.concat([Buffer.from([0xff]), Buffer.from(DEEP)]));
    await heavyJson.parse(notUtf8, "a", CONNECTED);
    assert.throws(() => parseJsonBody(notUtf8), /UTF-8/);
  });
  test("is parsed in slices of a millisecond, with four times as long between them", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 1);
    void parse("a1");
    for (let slice = 1; slice < LOOKS; slice++) {
      await pass(3);
      assert.deepEqual(parsed, []);
      await pass(1);
    }
    assert.deepEqual(parsed, ["a1"]);
  });
  test("is parsed one body at a time, with a rest that grows with the square of its time", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 10 / LOOKS);
    void parse("a1");
    void parse("a2");
    await parsedFor(t, parsed, 1);
    await pass(399);
    assert.equal(parsed.length, 1);
    await pass(2);
    await parsedFor(t, parsed, 2);
    await pass(401);
    void parse("a3");
    await pass(0);
    await parsedFor(t, parsed, 3);
  });
  test("of one caller waits for one of each other caller, not for all", async (t) => {
    const { parsed, parse, pass } = parserOf(t);
    for (const name of ["a1", "a2", "a3", "b1"]) void parse(name);
    for (let n = 0; n < 4; n++) await pass(1);
    assert.deepEqual(parsed, ["a1", "a2", "b1", "a3"]);
  });
  test("that takes long is followed by a second for others, and by eight for who has had such", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 100 / LOOKS);
    for (const name of ["a1", "a2", "b1"]) void parse(name);
    await parsedFor(t, parsed, 1);
    await pass(999);
    assert.equal(parsed.length, 1);
    await pass(2);
    await parsedFor(t, parsed, 2);
    assert.deepEqual(parsed, ["a1", "b1"]);
    await pass(6_000);
    assert.equal(parsed.length, 2);
    await pass(1_000);
    await parsedFor(t, parsed, 3);
    assert.deepEqual(parsed, ["a1", "b1", "a2"]);
    await pass(60_001);
    void parse("b2");
    await parsedFor(t, parsed, 4);
    await pass(1_001);
    void parse("a3");
    await pass(0);
    await parsedFor(t, parsed, 5);
    assert.equal(parsed.at(-1), "a3", "it is forgotten after a minute");
  });
  test("that takes long is followed by 150 ms for everybody while the process has nothing else to do", async (t) => {
    const { parsed, parse, pass } = parserOf(t, 100 / LOOKS, 0);
    for (const name of ["a1", "a2", "a3"]) void parse(name);
    for (let count = 1; count < 3; count++) {
      await parsedFor(t, parsed, count);
      await pass(149);
      assert.equal(parsed.length, count);
      await pass(2);
    }
    await parsedFor(t, parsed, 3);
    assert.deepEqual(parsed, ["a1", "a2", "a3"]);
  });
  test("that waits for ten seconds, or beside a hundred others, is refused with 429", async (t) => {
    const { parsed, refused, parse, pass } = parserOf(t, 100);
    for (let n = 0; n <= 101; n++) void parse(`a${n}`);
    await pass(0);
    assert.deepEqual(
      refused.map(([name]) => name),
      ["a101"],
    );
    await pass(9_999);
    assert.equal(refused.length, 1);
    await pass(1);
    assert.equal(refused.length, 101);
    for (const [, error] of refused) {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.retryAfterSeconds], ["429001", 1]);
    }
    for (let n = 0; n < 400; n++) await pass(1_000);
    void parse("a102");
    for (let n = 0; n < 400; n++) await pass(1_000);
    assert.deepEqual(parsed, ["a0", "a102"], "those who gave up take no turn");
  });
  test("is not parsed any further when its sender has gone", async (t) => {
    const { parsed, refused, parse, pass } = parserOf(t, 1);
    const [begun, waiting] = [{ destroyed: false }, { destroyed: false }];
    const bodies = [parse("a1", requestOf(begun)), parse("a2", requestOf(waiting))];
    void parse("a3");
    await pass(8);
    begun.destroyed = true;
    waiting.destroyed = true;
    for (let n = 0; n < 1_000; n++) await pass(8);
    assert.deepEqual(parsed, ["a3"]);
    for (const body of bodies) assert.equal((await body).parsed, null);
    for (const [, error] of refused) assert.match(String(error), /RequestAborted/);
    assert.equal(refused.length, 2);
  });
});
