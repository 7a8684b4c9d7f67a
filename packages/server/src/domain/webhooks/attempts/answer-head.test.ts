import assert from "node:assert/strict";
import { test } from "node:test";
import { HeadReader, readHead } from "./answer-head.ts";
import { InvalidAnswer } from "./invalid-answer.ts";

test("heads that come again are read as they were, and others as they are", () => {
  const reader = new HeadReader();
  const plain = "HTTP/1.1 200 OK\r\ncontent-length: 2";
  const long = `HTTP/1.1 201 OK\r\nx-long: ${"a".repeat(2_000)}\r\ncontent-length: 3`;
  const closing = "HTTP/1.1 503 Busy\r\nconnection: close";
  for (const text of [plain, plain, long, long, closing, plain, closing, closing]) {
    assert.deepEqual(reader.read(text), readHead(text));
  }
});

test("a head that is none is refused each time", () => {
  const reader = new HeadReader();
  reader.read("HTTP/1.1 200 OK");
  for (let times = 0; times < 3; times++) assert.throws(() => reader.read("SSH-2.0-OpenSSH"), InvalidAnswer);
  assert.throws(() => reader.read(""), InvalidAnswer);
});
