import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiRefusedError } from "@portico/protocol/client";
import type { ClientMessage } from "@portico/protocol/schemas";
import { type Deliver, MOST_OUTGOING, Outbox } from "./outbox.ts";

const text = (words: string) => ({ kind: "text", text: words, mentions: [] }) as const;

const REFUSAL = { httpStatus: 404, code: "400404", message: "", reqNo: "", retryAfterSeconds: undefined };

/** An outbox whose deliveries are decided by the test, and what has been asked of them. */
function outboxOf() {
  const asked: { words: string; id: string; succeed(messageId: number): void; fail(error: Error): void }[] = [];
  const deliver: Deliver = ({ draft, clientMessageId }) =>
    new Promise((succeed, fail) => {
      asked.push({ words: draft.kind === "text" ? draft.text : "", id: clientMessageId, succeed, fail });
    });
  const outbox = new Outbox(deliver, () => {});
  const turn = () => new Promise((done) => setImmediate(done));
  return { outbox, asked, turn };
}

describe("the outbox", () => {
  it("messages go one after the other, in the order in which they were written", async () => {
    const { outbox, asked, turn } = outboxOf();
    outbox.send(text("one"));
    outbox.send(text("two"));
    await turn();
    assert.deepEqual(
      asked.map(({ words }) => words),
      ["one"],
    );
    asked[0]?.succeed(1);
    await turn();
    assert.deepEqual(
      asked.map(({ words }) => words),
      ["one", "two"],
    );
  });

  it("one that fails lets the next go, and is tried again under the same id", async () => {
    const { outbox, asked, turn } = outboxOf();
    outbox.send(text("one"));
    outbox.send(text("two"));
    await turn();
    asked[0]?.fail(new Error("offline"));
    await turn();
    asked[1]?.succeed(2);
    await turn();
    assert.deepEqual(
      outbox.items.map(({ state }) => state),
      ["failed", "sent"],
    );
    const [failed] = outbox.items;
    outbox.retry(failed?.clientMessageId ?? "");
    await turn();
    assert.equal(asked[2]?.id, asked[0]?.id);
    asked[2]?.succeed(3);
    await turn();
    assert.deepEqual(
      outbox.items.map(({ state }) => state),
      ["sent", "sent"],
    );
  });

  it("what has arrived is taken out; what is on its way is not given up", async () => {
    const { outbox, asked, turn } = outboxOf();
    outbox.send(text("one"));
    await turn();
    outbox.giveUp(asked[0]?.id ?? "");
    assert.equal(outbox.items.length, 1);
    asked[0]?.succeed(7);
    await turn();
    outbox.settle([{ messageId: 7 } as ClientMessage]);
    assert.equal(outbox.items.length, 0);
  });

  it("what has failed can be given up", async () => {
    const { outbox, asked, turn } = outboxOf();
    outbox.send(text("one"));
    await turn();
    asked[0]?.fail(new Error("refused"));
    await turn();
    outbox.giveUp(asked[0]?.id ?? "");
    assert.equal(outbox.items.length, 0);
  });

  it("a message that came before its own answer is taken out when the answer comes", async () => {
    const { outbox, asked, turn } = outboxOf();
    outbox.send(text("one"));
    await turn();
    outbox.settle([{ messageId: 7 } as ClientMessage]);
    for (let messageId = 8; messageId < 500; messageId++) outbox.settle([{ messageId } as ClientMessage]);
    assert.equal(outbox.items.length, 1);
    asked[0]?.succeed(7);
    await turn();
    assert.equal(outbox.items.length, 0);
  });

  it("a file that has been uploaded is not uploaded again, unless the service refused the message", async () => {
    const keys: (string | null)[] = [];
    const errors = [new TypeError("no network"), new ApiRefusedError(REFUSAL)];
    const outbox = new Outbox(
      async ({ fileKey }, onUpload) => {
        keys.push(fileKey);
        if (fileKey === null) onUpload({ fileKey: `key ${keys.length}` });
        const error = errors.shift();
        if (error !== undefined) throw error;
        return 1;
      },
      () => {},
    );
    outbox.send({ kind: "file", file: new File(["words"], "notes.txt"), isPicture: false });
    const [{ clientMessageId } = { clientMessageId: "" }] = outbox.items;
    const turn = () => new Promise((done) => setImmediate(done));
    for (let tries = 1; tries <= 3; tries++) {
      await turn();
      outbox.retry(clientMessageId);
    }
    assert.deepEqual(keys, [null, "key 1", null]);
  });

  it("takes no more than so many messages at a time", async () => {
    const { outbox, asked, turn } = outboxOf();
    while (outbox.room > 0) outbox.send(text("again"));
    assert.equal(outbox.items.length, MOST_OUTGOING);
    assert.throws(() => outbox.send(text("one more")), RangeError);
    await turn();
    asked[0]?.succeed(1);
    await turn();
    outbox.settle([{ messageId: 1 } as ClientMessage]);
    assert.equal(outbox.room, 1);
  });

  it("is not drawn beside the message itself, when that comes before the answer", async () => {
    const { outbox, asked, turn } = outboxOf();
    const words = () => outbox.items.map(({ draft }) => (draft.kind === "text" ? draft.text : ""));
    for (const said of ["hi", "hi", "you"]) outbox.send(text(said));
    await turn();
    outbox.settle([{ messageId: 7, msgType: "text", content: { text: "hi" } } as ClientMessage]);
    assert.deepEqual(words(), ["hi", "you"]);
    asked[0]?.succeed(7);
    await turn();
    assert.deepEqual(words(), ["hi", "you"]);
    // The same words from another page of the member: what fails here is shown again.
    outbox.settle([{ messageId: 8, msgType: "text", content: { text: "hi" } } as ClientMessage]);
    assert.deepEqual(words(), ["you"]);
    asked[1]?.fail(new Error("offline"));
    await turn();
    assert.deepEqual(words(), ["hi", "you"]);
  });

  it("a rest ends what is on its way, which is kept and goes when it is tried again", async () => {
    const { outbox, asked, turn } = outboxOf();
    outbox.send(text("one"));
    outbox.send(text("two"));
    await turn();
    outbox.rest();
    asked[0]?.fail(new Error("aborted"));
    await turn();
    assert.equal(asked.length, 1);
    assert.deepEqual(
      outbox.items.map(({ state }) => state),
      ["failed", "failed"],
    );
    const [, two] = outbox.items;
    outbox.retry(two?.clientMessageId ?? "");
    await turn();
    assert.equal(asked.length, 2);
  });

  it("after its end nothing more goes", async () => {
    const { outbox, asked, turn } = outboxOf();
    outbox.send(text("one"));
    outbox.send(text("two"));
    await turn();
    outbox.close();
    asked[0]?.fail(new Error("aborted"));
    await turn();
    assert.equal(asked.length, 1);
    assert.equal(outbox.items.length, 0);
  });
});
