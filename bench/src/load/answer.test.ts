import assert from "node:assert/strict";
import { test } from "node:test";
import { answerLength, isOk, isSuccess } from "./answer.ts";

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

test("only the status 200 is a success of the console", () => {
  assert.equal(isOk(Buffer.from('HTTP/1.1 200 OK\r\n\r\n{"items":[]}')), true);
  assert.equal(isOk(Buffer.from('HTTP/1.1 429 Too Many Requests\r\n\r\n{"code":"000000"}')), false);
});
