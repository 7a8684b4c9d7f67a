import assert from "node:assert/strict";
import { test } from "node:test";
import { answerLength, isSuccess } from "./answer.ts";

const answer = Buffer.from('HTTP/1.1 200 OK\r\nDate: now\r\ncontent-length: 17\r\n\r\n{"code":"000000"}');

test("an answer is complete with its last byte, not before", () => {
  for (let length = 0; length < answer.length; length++) {
    assert.equal(answerLength(answer.subarray(0, length)), null);
  }
  assert.equal(answerLength(answer), answer.length);
  assert.equal(answerLength(Buffer.concat([answer, answer])), answer.length);
});

test("an answer without Content-Length is refused", () => {
  assert.throws(() => answerLength(Buffer.from("HTTP/1.1 204 No Content\r\n\r\n")), /Content-Length/);
});

test("only the code 000000 is a success", () => {
  assert.equal(isSuccess(answer), true);
  assert.equal(isSuccess(Buffer.from('HTTP/1.1 200 OK\r\n\r\n{"code":"429001"}')), false);
});
