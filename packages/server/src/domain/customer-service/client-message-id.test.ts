import assert from "node:assert/strict";
import { test } from "node:test";
import { clientMessageIdOf, integratorsIdOf, thirdMsgIdOf, type Writer } from "./client-message-id.ts";

const ann: Writer = { at: "widget", id: "v_ann" };

test("a writer gets back the clientMessageIds of their own messages, and of no others", () => {
  const thirdMsgId = thirdMsgIdOf(ann, "c-1");
  assert.equal(clientMessageIdOf(ann, { thirdMsgId }), "c-1");
  assert.equal(clientMessageIdOf({ ...ann, id: "v_bob" }, { thirdMsgId }), null);
  assert.equal(clientMessageIdOf({ ...ann, at: "desk" }, { thirdMsgId }), null);
  assert.equal(clientMessageIdOf(ann, { thirdMsgId: "c-1" }), null);
  assert.equal(clientMessageIdOf(ann, { thirdMsgId: null }), null);
});

test("thousands of writers each keep their own ids", () => {
  const writers = Array.from({ length: 2_500 }, (_, number): Writer => ({ at: "desk", id: `u_${number}` }));
  const made = writers.map((writer) => thirdMsgIdOf(writer, "c-1"));
  assert.equal(new Set(made).size, writers.length);
  for (const [index, writer] of writers.entries()) {
    assert.equal(clientMessageIdOf(writer, { thirdMsgId: made[index] ?? null }), "c-1");
  }
});

test("the integrator sees the ids that it chose itself", () => {
  assert.equal(integratorsIdOf("order-1"), "order-1");
  assert.equal(integratorsIdOf(thirdMsgIdOf(ann, "c-1")), null);
  assert.equal(integratorsIdOf(null), null);
});
