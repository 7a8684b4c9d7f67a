import assert from "node:assert/strict";
import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, test } from "node:test";
import { LargeAnswers } from "./large-answers.ts";

/** A quarter of one caller's limit. */
const PART = 512 * 1024;

function newResponse(): ServerResponse {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.assignSocket(new Socket());
  return response;
}

/** Creates answers, and functions that end them. */
function answers() {
  const largeAnswers = new LargeAnswers();
  const begun: ServerResponse[] = [];
  const enter = async (caller: string, bytes = PART) => {
    const response = newResponse();
    await largeAnswers.reserve(caller, response, bytes);
    begun.push(response);
    return response;
  };
  const end = async (response: ServerResponse) => {
    const closed = once(response, "close");
    response.emit("close");
    await closed;
  };
  return { largeAnswers, enter, end, begun };
}

const settled = () => new Promise(setImmediate);

describe("large answers", () => {
  test("hold 2 MiB for one caller; the fifth begins when one has ended, and blocks nobody else", async () => {
    const { enter, end, begun } = answers();
    const [first] = await Promise.all([1, 2, 3, 4].map(() => enter("a")));
    const fifth = enter("a");
    await enter("b");
    assert.equal(begun.length, 5);
    assert.ok(first);
    first.emit("close");
    await fifth;
    await end(await enter("c"));
  });
  test("hold 16 MiB in all and begin in order; a later smaller one does not overtake", async () => {
    const { enter, begun } = answers();
    await Promise.all(Array.from({ length: 8 }, (_, n) => [1, 2, 3, 4].map(() => enter(`${n}`))).flat());
    const order: string[] = [];
    const waiting = [
      enter("x", 2 * PART).then(() => order.push("x")),
      enter("y", 0.5 * PART).then(() => order.push("y")),
    ];
    begun[0]?.emit("close");
    await settled();
    assert.deepEqual(order, []);
    begun[1]?.emit("close");
    begun[2]?.emit("close");
    await Promise.all(waiting);
    assert.deepEqual(order, ["x", "y"]);
  });
  test("small ones are not counted, and one beyond a caller's limit still begins eventually", async () => {
    const { enter } = answers();
    await enter("a", 40 * PART);
    await enter("a", 64 * 1024);
    await enter("b", 40 * PART);
  });
  test("one that waits for 10 s is refused with 429001, and so is a caller's 33rd waiting one", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
    const { enter } = answers();
    await Promise.all([1, 2, 3, 4].map(() => enter("a")));
    const waiting = Array.from({ length: 32 }, () => enter("a"));
    const refused = Promise.all(
      waiting.map((one) => assert.rejects(one, { kind: "QUOTA_EXCEEDED", retryAfterSeconds: 1 })),
    );
    await assert.rejects(enter("a"), { kind: "QUOTA_EXCEEDED", retryAfterSeconds: 1 });
    t.mock.timers.tick(10_000);
    await refused;
  });
  test("one whose reader disconnects while waiting uses no memory", async () => {
    const { largeAnswers, enter, begun } = answers();
    await Promise.all([1, 2, 3, 4].map(() => enter("a")));
    const gone = newResponse();
    const waiting = largeAnswers.reserve("a", gone, PART);
    gone.emit("close");
    await assert.rejects(waiting);
    begun[0]?.emit("close");
    await enter("a");
  });
  test("large reads run one after another, small ones at once", async () => {
    const { largeAnswers } = answers();
    let [atOnce, most] = [0, 0];
    const read = (bytes = PART) =>
      largeAnswers.read(bytes, async () => {
        most = Math.max(most, ++atOnce);
        await settled();
        atOnce--;
      });
    await Promise.all([read(), read(), read()]);
    assert.equal(most, 1);
    // These consist of one large read, and of small ones.
    most = 0;
    await Promise.all([read(1), read(1), read()]);
    assert.ok(most >= 2);
  });
});
