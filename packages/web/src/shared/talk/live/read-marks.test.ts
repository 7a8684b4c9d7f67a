import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReadMarks } from "./read-marks.ts";

/** Marks whose time and whose service belong to the test. */
function marksUnderTest() {
  const sent: string[] = [];
  let now = 0;
  let timer: { at: number; run: () => void } | null = null;
  let isUp = true;
  const marks = new ReadMarks(
    async (id, seq) => {
      sent.push(`${id}=${seq}`);
      if (!isUp) throw new Error("no network");
      return true;
    },
    {
      now: () => now,
      after(delayMs, run) {
        const planned = { at: now + delayMs, run };
        timer = planned;
        return () => {
          if (timer === planned) timer = null;
        };
      },
    },
  );
  const settled = () => new Promise((done) => setImmediate(done));
  return {
    marks,
    sent,
    settled,
    setUp(value: boolean): void {
      isUp = value;
    },
    /** Lets the time pass and what is due run. */
    async pass(ms: number): Promise<void> {
      const until = now + ms;
      for (;;) {
        const due: { at: number; run: () => void } | null = timer;
        if (due === null || due.at > until) break;
        timer = null;
        now = due.at;
        due.run();
        await settled();
      }
      now = until;
    },
  };
}

describe("telling how far the member has read", () => {
  it("the first mark goes at once, and of those within a second the furthest", async () => {
    const { marks, sent, pass } = marksUnderTest();
    marks.mark("a", 1);
    await pass(0);
    for (let seq = 2; seq <= 50; seq++) marks.mark("a", seq);
    marks.mark("b", 3);
    marks.mark("a", 20);
    await pass(999);
    assert.deepEqual(sent, ["a=1"]);
    await pass(1);
    assert.deepEqual(sent, ["a=1", "a=50", "b=3"]);
  });

  it("what failed is told again, later each time, with what came meanwhile", async () => {
    const { marks, sent, pass, setUp } = marksUnderTest();
    setUp(false);
    marks.mark("a", 5);
    await pass(0);
    marks.mark("a", 7);
    await pass(2_000);
    assert.deepEqual(sent, ["a=5", "a=7"]);
    await pass(3_999);
    assert.equal(sent.length, 2);
    setUp(true);
    await pass(1);
    await pass(600_000);
    assert.deepEqual(sent, ["a=5", "a=7", "a=7"]);
  });

  it("waits no longer than a minute between tries", async () => {
    const { marks, sent, pass, setUp } = marksUnderTest();
    setUp(false);
    marks.mark("a", 5);
    await pass(3_600_000);
    const before = sent.length;
    await pass(60_000);
    assert.equal(sent.length, before + 1);
  });

  it("a flush tells at once what waits, and nothing twice", async () => {
    const { marks, sent, pass, settled } = marksUnderTest();
    marks.mark("a", 1);
    await pass(0);
    marks.mark("a", 2);
    marks.flush();
    await settled();
    marks.flush();
    await pass(10_000);
    assert.deepEqual(sent, ["a=1", "a=2"]);
  });

  it("nothing goes after the end", async () => {
    const { marks, sent, pass } = marksUnderTest();
    marks.mark("a", 1);
    marks.close();
    await pass(10_000);
    assert.deepEqual(sent, []);
  });
});
