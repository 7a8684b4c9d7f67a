import assert from "node:assert/strict";
import type { Answer } from "./http.ts";

/** Asserts a refusal: its status, its code and the shape that all failures have. */
export function assertRefused(answer: Answer, status: number, code: string, message?: string): void {
  assert.deepEqual({ status: answer.status, code: answer.json?.code }, { status, code }, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["code", "message", "value", "reqNo"]);
  assert.equal(answer.json.value, null);
  assert.match(answer.json.reqNo, /^\w{16,}$/);
  assert.match(String(answer.headers["content-type"]), /^application\/json/);
  if (message !== undefined) assert.equal(answer.json.message, message);
}

/** Asserts a success in its envelope. */
export function assertSuccess(answer: Answer): void {
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["code", "message", "value", "reqNo"]);
  assert.equal(answer.json.code, "000000");
}
