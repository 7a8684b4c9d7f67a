import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BOUNDS, LIMITS } from "./limits.ts";

describe("limits of the contract", () => {
  test("an ordinary request body has at most 256 KiB", () => {
    assert.equal(LIMITS.ordinaryBodyBytes, 262_144);
  });
  test("a file has at most 20 MiB, the body of an upload 22 MiB", () => {
    assert.deepEqual([LIMITS.uploadFileBytes, LIMITS.uploadBodyBytes], [20_971_520, 23_068_672]);
  });
  test("a clientMessageId has at most 64 characters", () => {
    assert.equal(LIMITS.clientMessageIdLength, 64);
  });
});

describe("bounds the contract leaves open", () => {
  test("a nonce and an id have at most 128 characters, a message at most 500 mentions, a group 5,000 members, a picture a million pixels", () => {
    assert.deepEqual(BOUNDS, {
      nonceLength: 128,
      idLength: 128,
      mentions: 500,
      groupMembers: 5_000,
      unsentFiles: 100,
      imagePixels: 1_000_000,
    });
  });
});
