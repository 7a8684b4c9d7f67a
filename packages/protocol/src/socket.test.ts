import assert from "node:assert/strict";
import { test } from "node:test";
import { readSocketClientFrame } from "./socket.ts";

test("acknowledgements and refusals are read, without what they hold beside", () => {
  assert.deepEqual(readSocketClientFrame('{"type":"ack","deliveryId":"d","more":1}'), { type: "ack", deliveryId: "d" });
  assert.deepEqual(readSocketClientFrame('{"type":"nack","deliveryId":"d"}'), { type: "nack", deliveryId: "d" });
  assert.deepEqual(readSocketClientFrame('{"type":"nack","deliveryId":"d","reason":"full","retry":false}'), {
    type: "nack",
    deliveryId: "d",
    reason: "full",
    retry: false,
  });
  assert.deepEqual(readSocketClientFrame('{"type":"nack","deliveryId":"d","reason":null}'), {
    type: "nack",
    deliveryId: "d",
  });
});

test("of anything else, what is wrong is told", () => {
  for (const text of ["", "ack", "null", "[]", '"ack"', "{"]) {
    assert.equal(readSocketClientFrame(text), "a frame is a JSON object");
  }
  for (const text of ["{}", '{"type":"event"}', '{"type":["ack"]}', '{"__proto__":{"type":"ack"}}']) {
    assert.equal(readSocketClientFrame(text), 'the type of a frame is "ack" or "nack"');
  }
  for (const text of ['{"type":"ack"}', '{"type":"ack","deliveryId":1}']) {
    assert.equal(readSocketClientFrame(text), 'the deliveryId of "ack" is a string');
  }
  assert.match(String(readSocketClientFrame('{"type":"nack","deliveryId":"d","reason":{}}')), /reason/);
  assert.match(String(readSocketClientFrame('{"type":"nack","deliveryId":"d","retry":"no"}')), /retry/);
});
