import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetOutboxes, Outbox } from "./outbox.ts";

const text = (words: string) => [{ kind: "text" as const, text: words }];
const textsOf = (outbox: Outbox) => outbox.items.map((item) => item.kind === "text" && item.text);

test("two tabs keep their texts beside each other, and the one that has sent its own leaves the other's", () => {
  const one = new Outbox("app_tabs", "v_ann");
  const other = new Outbox("app_tabs", "v_ann");
  one.add(text("from one"));
  other.add(text("from the other"));
  assert.deepEqual(textsOf(new Outbox("app_tabs", "v_ann")).sort(), ["from one", "from the other"]);
  for (const { clientMessageId } of other.items) other.remove(clientMessageId);
  assert.deepEqual(textsOf(new Outbox("app_tabs", "v_ann")), ["from one"]);
});

test("what was sent together is in its order on the next page", () => {
  const texts = ["first", "second", "third", "fourth", "fifth"];
  new Outbox("app_order", "v_ann").add(texts.flatMap(text));
  assert.deepEqual(textsOf(new Outbox("app_order", "v_ann")), texts);
});

test("what somebody writes before it is known who they are is nobody else's on the next page", () => {
  const ann = new Outbox("app_named", null);
  ann.add(text("as Ann"));
  const ben = new Outbox("app_named", "v_ben");
  ben.adopt(new Outbox("app_named", null));
  assert.deepEqual(textsOf(ben), []);
  assert.deepEqual(textsOf(new Outbox("app_named", "new")), []);
});

test("texts are taken over by the visitor that their writer becomes, and are kept under that one alone", () => {
  const unnamed = new Outbox("app_adopt", "new");
  unnamed.add(text("hello"));
  const known = new Outbox("app_adopt", "v_known");
  known.adopt(unnamed);
  assert.deepEqual(textsOf(new Outbox("app_adopt", "v_known")), ["hello"]);
  assert.deepEqual(textsOf(new Outbox("app_adopt", "new")), []);
});

test("signing out forgets what waits of every visitor of the application, and of no other", async () => {
  new Outbox("app_out", "v_ann").add(text("as Ann"));
  new Outbox("app_out", "new").add(text("as nobody"));
  new Outbox("app_stays", "v_ann").add(text("elsewhere"));
  await forgetOutboxes("app_out");
  assert.deepEqual([...textsOf(new Outbox("app_out", "v_ann")), ...textsOf(new Outbox("app_out", "new"))], []);
  assert.deepEqual(textsOf(new Outbox("app_stays", "v_ann")), ["elsewhere"]);
});
