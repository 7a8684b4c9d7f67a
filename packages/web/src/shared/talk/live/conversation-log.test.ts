import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ClientMessage } from "@portico/protocol/schemas";
import { ConversationLog, type LogSource } from "./conversation-log.ts";

function message(msgSeq: number, text = `m${msgSeq}`): ClientMessage {
  return {
    messageId: 1_000 + msgSeq,
    msgSeq,
    msgType: "text",
    content: { text },
    sender: { type: "MEMBER", id: "u_bob", name: "Bob" },
    mentions: [],
    cardVersion: null,
    recalled: false,
    parentMessageId: null,
    createTime: msgSeq,
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => message(from + index));
const settled = () => new Promise((done) => setImmediate(done));

/** A log over a conversation that the test has, whose reads it can hold back or let fail. */
function logOf(count: number) {
  const all = range(1, count);
  let held: Promise<unknown> = Promise.resolve();
  const source: LogSource<ClientMessage> = {
    async readBefore(beforeSeq = Number.POSITIVE_INFINITY, limit) {
      await held;
      return all.filter(({ msgSeq }) => msgSeq < beforeSeq).slice(-limit);
    },
    async readAfter(afterSeq, limit) {
      await held;
      const messages = all.filter(({ msgSeq }) => msgSeq > afterSeq).slice(0, limit);
      return { messages, upTo: messages.at(-1)?.msgSeq ?? afterSeq };
    },
    async readAround(msgSeq, limit) {
      await held;
      const messages = all.filter((each) => each.msgSeq > msgSeq - limit / 2).slice(0, limit);
      return { messages, newestSeq: all.at(-1)?.msgSeq ?? 0 };
    },
  };
  const log = new ConversationLog(
    source,
    () => new Promise(() => {}),
    () => {},
  );
  return {
    log,
    /** Something is said, and the stream tells of it. */
    say(...said: ClientMessage[]): void {
      all.push(...said);
      log.apply(said);
    },
    hold(until: Promise<unknown>): void {
      held = until;
    },
    seqs: () => log.snapshot.messages.map(({ msgSeq }) => msgSeq),
  };
}

function assertWhole(seqs: readonly number[]): void {
  const [first = 0] = seqs;
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => first + index),
  );
}

describe("the log of a conversation", () => {
  it("what comes while the first page is read is there once", async () => {
    const { log, say, seqs } = logOf(80);
    say(message(81));
    assert.equal(log.snapshot.reading, "first");
    await settled();
    assert.deepEqual([seqs()[0], seqs().at(-1), seqs().length], [32, 81, 50]);
  });

  it("what comes after the first page could not be read is left to the next try", async () => {
    let isUp = false;
    const log = new ConversationLog(
      {
        readBefore: async () => {
          if (!isUp) throw new Error("no network");
          return range(2_951, 3_000);
        },
        readAfter: () => assert.fail(),
      },
      () => new Promise(() => {}),
      () => {},
    );
    await settled();
    for (let seq = 11; seq <= 3_000; seq++) log.apply([message(seq)]);
    assert.deepEqual([log.snapshot.reading, log.snapshot.messages.length], ["failed", 0]);
    assert.equal(log.snapshot.hasEarlier, true, "what could not be read is not said to be empty");
    isUp = true;
    await log.readAgain();
    assert.deepEqual([log.snapshot.reading, log.snapshot.messages.length], ["idle", 50]);
  });

  it("a log that nobody looks at keeps its end, whatever comes", async () => {
    const { log, say, seqs } = logOf(50);
    await settled();
    for (let seq = 51; seq <= 5_000; seq++) say(message(seq));
    assert.ok(seqs().length <= 800);
    assert.equal(seqs().at(-1), 5_000);
    assert.equal(log.snapshot.hasEarlier, true);
    assertWhole(seqs());
  });

  it("a log that is scrolled up lets its end go, and reads it again without a gap", async () => {
    const { log, say, seqs } = logOf(3_000);
    log.show();
    await settled();
    while ((seqs()[0] ?? 0) > 1_000) {
      await log.readEarlier();
      log.lookAt(seqs()[0] ?? 0);
    }
    assert.ok(seqs().length <= 800);
    assert.equal(log.snapshot.hasLater, true);
    // What is said now is not put below the gap.
    say(message(3_001));
    assert.ok((seqs().at(-1) ?? 0) < 3_000);
    while (log.snapshot.hasLater) {
      await log.readLater();
      log.lookAt(seqs().at(-1) ?? 0);
      assertWhole(seqs());
      assert.ok(seqs().length <= 850);
    }
    assert.equal(seqs().at(-1), 3_001);
    say(message(3_002));
    assert.equal(seqs().at(-1), 3_002);
  });

  it("what is said while the last page is read is not lost", async () => {
    const { log, say, hold, seqs } = logOf(2_000);
    log.show();
    await settled();
    while (!log.snapshot.hasLater) {
      await log.readEarlier();
      log.lookAt(seqs()[0] ?? 0);
    }
    while ((seqs().at(-1) ?? 0) < 1_980) await log.readLater();
    const { promise, resolve } = Promise.withResolvers<void>();
    hold(promise);
    const reading = log.readLater();
    say(...range(2_001, 2_120));
    resolve();
    await reading;
    while (log.snapshot.hasLater) await log.readLater();
    assertWhole(seqs());
    assert.equal(seqs().at(-1), 2_120);
  });

  it("opens at a message, and goes on from there to both ends without a gap", async () => {
    const { log, say, seqs } = logOf(300);
    await settled();
    log.show();
    await log.readAround(120);
    assert.equal(seqs().includes(120), true);
    assert.deepEqual([log.snapshot.hasEarlier, log.snapshot.hasLater], [true, true]);
    say(message(301));
    assert.equal(seqs().includes(301), false, "what is new is read when the log gets there");
    await log.readAround(121);
    const there = seqs();
    assert.equal(there.includes(300), false, "what is there is not read again");
    while (log.snapshot.hasLater) await log.readLater();
    while (log.snapshot.hasEarlier) await log.readEarlier();
    assert.deepEqual(
      seqs(),
      range(1, 301).map(({ msgSeq }) => msgSeq),
    );
  });

  it("a page around a message that could not be read is read again", async () => {
    const { log, hold, seqs } = logOf(300);
    await settled();
    hold(Promise.reject(new Error("offline")));
    await log.readAround(20);
    assert.equal(log.snapshot.reading, "failed");
    hold(Promise.resolve());
    await log.readAgain();
    assert.deepEqual([seqs()[0], log.snapshot.hasLater], [1, true]);
    await log.readNewest();
    assert.deepEqual([seqs().at(-1), log.snapshot.hasLater], [300, false]);
  });

  it("the newest page takes the place of a page that is still being read", async () => {
    const { log, hold, seqs } = logOf(500);
    await settled();
    const { promise, resolve } = Promise.withResolvers<void>();
    hold(promise);
    const earlier = log.readEarlier();
    hold(Promise.resolve());
    await log.readNewest();
    resolve();
    await earlier;
    assert.deepEqual([seqs()[0], seqs().length, log.snapshot.reading], [451, 50, "idle"]);
  });
});
