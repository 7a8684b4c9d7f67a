import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import { collectGarbage } from "./support/memory.ts";
import { type Respond, socketOf } from "./support/receiver.ts";
import { attempt, attemptsFor, receiverFor } from "./support/receiver-attempts.ts";

const KIB = 1_024;
const MIB = 1_024 * KIB;
const ENCODERS = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

describe("the answer in the record of a delivery attempt", () => {
  test("is the first 4 KiB", async (t) => {
    const body = "0123456789abcdef".repeat(500);
    const result = await answerOf(t, (_received, response) => void response.end(body));
    assert.equal(result.answer, body.slice(0, 4 * KIB));
    assert.equal(result.detail, null);
  });

  for (const lead of ["", "a", "ab", "abc"]) {
    test(`ends before a character that 4 KiB would split (after ${lead.length} bytes more)`, async (t) => {
      const body = lead + "😀".repeat(2_000);
      const { answer } = await answerOf(t, (_received, response) => void response.end(body));
      assert.ok(body.startsWith(answer));
      assert.ok(!answer.includes("\ufffd"));
      const length = Buffer.byteLength(answer);
      assert.ok(length > 4 * KIB - 4 && length <= 4 * KIB, String(length));
    });
  }

  test("is valid text without NUL for any bytes", async (t) => {
    const bytes = Buffer.concat([
      Buffer.from("a\0b"),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
      Buffer.from("c"),
    ]);
    const { answer } = await answerOf(t, (_received, response) => void response.end(bytes));
    assert.match(answer, /^ab\ufffd+\(\ufffd+c$/);
    assert.ok(answer.isWellFormed());
  });

  test("has at most 4 KiB, although replacement characters are longer than the bytes they replace", async (t) => {
    const { answer } = await answerOf(t, (_received, response) => void response.end(Buffer.alloc(8_000, 0xff)));
    assert.equal(answer, "\ufffd".repeat(Math.floor((4 * KIB) / 3)));
  });

  test("is empty for an answer without a body", async (t) => {
    assert.equal((await answerOf(t, (_received, response) => void response.writeHead(204).end())).answer, "");
  });

  test("is read to the end of the connection when no length is given, also in HTTP/1.0", async (t) => {
    for (const version of ["1.0", "1.1"]) {
      const result = await answerOf(
        t,
        (_received, response) =>
          void socketOf(response).end(`HTTP/${version} 200 OK\r\ncontent-type: text/plain\r\n\r\nso long`),
      );
      assert.deepEqual([result.status, result.answer, result.detail], [200, "so long", null]);
    }
  });

  for (const [encoding, encode] of Object.entries(ENCODERS)) {
    test(`is decompressed although no compression was asked for: ${encoding}`, async (t) => {
      const text = "好的, 已收到. ".repeat(100);
      const { answer } = await answerOf(t, answerWith(encode(text), encoding));
      assert.equal(answer, text);
    });

    test(`is the decompressible part of a truncated body: ${encoding}`, async (t) => {
      const text = Array.from({ length: 40_000 }, (_, index) => `line ${index} ${(index * 7_919) % 1_000}\n`).join("");
      const whole = encode(text);
      const result = await answerOf(t, (_received, response) => {
        response.writeHead(200, { "content-encoding": encoding, "content-length": whole.length });
        response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
      });
      assert.equal(result.status, 200);
      assert.equal(result.answer, text.slice(0, 4 * KIB));
      assert.equal(result.detail, "The connection broke within the body of the answer.");
    });
  }

  test("is empty when the compressed body is empty, or truncated before the first byte of content", async (t) => {
    for (const body of [gzipSync(""), gzipSync("never seen").subarray(0, 8)]) {
      assert.equal((await answerOf(t, answerWith(body, "gzip"))).answer, "");
    }
  });

  test("is decompressed when deflate has no header", async (t) => {
    assert.equal((await answerOf(t, answerWith(deflateRawSync("plain"), "deflate"))).answer, "plain");
  });

  test("is kept unchanged when it is not compressed as declared, or in an unknown way", async (t) => {
    for (const encoding of ["gzip", "deflate", "br", "zstd", "identity", "rot13", "gzip, br"]) {
      assert.equal((await answerOf(t, answerWith(Buffer.from("not at all"), encoding))).answer, "not at all", encoding);
    }
  });

  for (const encoding of ["gzip", "br", "zstd"] as const) {
    test(`a bomb of 1 GiB in ${encoding} does no harm`, async (t) => {
      const bomb = bombs[encoding]();
      assert.ok(bomb.length < 5 * MIB);
      const receiver = await receiverFor(t, { respond: answerWith(bomb, encoding) });
      const attempts = attemptsFor(t);
      await attempt(attempts, receiver.url());
      const grownBy = await growthDuring(async () => {
        const startedAt = performance.now();
        const result = await attempt(attempts, receiver.url());
        assert.equal(result.status, 200);
        assert.equal(result.answer, "a".repeat(4 * KIB));
        assert.ok(performance.now() - startedAt < 5_000);
      });
      assert.ok(grownBy < 64 * MIB, `${grownBy / MIB} MiB`);
    });
  }

  test("a zstd frame that demands a window of 128 MiB is not decompressed", async (t) => {
    // A frame header with a window descriptor of 2^27, followed by one raw last block of 3 bytes.
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x19, 0x00, 0x00, 0x61, 0x62, 0x63]);
    const { status, answer } = await answerOf(t, answerWith(frame, "zstd"));
    assert.equal(status, 200);
    assert.notEqual(answer, "abc");
  });

  test("an answer of 100 MiB is truncated, its status counts, and memory stays bounded", async (t) => {
    let written = 0;
    let done = Promise.resolve();
    const receiver = await receiverFor(t, {
      respond: (_received, response) => {
        response.writeHead(200, { "content-length": 100 * MIB });
        done = flood(response, (length) => {
          written += length;
        });
      },
    });
    const attempts = attemptsFor(t);
    const grownBy = await growthDuring(async () => {
      const result = await attempt(attempts, receiver.url());
      assert.equal(result.status, 200);
      assert.equal(result.answer, "x".repeat(4 * KIB));
      assert.equal(result.detail, "The answer was longer than 65536 bytes and was not read further.");
      await done;
    });
    assert.ok(written < 20 * MIB, `the receiver could write ${written / MIB} MiB`);
    assert.ok(grownBy < 64 * MIB, `${grownBy / MIB} MiB`);
    assert.equal(receiver.connections.open, 0);
  });

  test("chunks of one byte count with their framing of a kilobyte", async (t) => {
    let frames = 0;
    const frame = `1;${"x".repeat(KIB)}\r\na\r\n`;
    const result = await answerOf(t, async (_received, response) => {
      const socket = socketOf(response);
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      for (; frames < 10_000 && !socket.destroyed; frames++) {
        if (!socket.write(frame)) await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
      }
    });
    assert.equal(result.status, 200);
    assert.match(result.detail ?? "", /longer than 65536 bytes/);
    assert.ok(result.answer.length < 65, result.answer);
  });
});

const bombs = {
  // A gzip file may have several members.
  gzip: () => Buffer.concat(Array(16).fill(gzipSync(Buffer.alloc(64 * MIB, "a"), { level: 6 }))),
  br: () => brotliCompressSync(Buffer.alloc(1_024 * MIB, "a"), { params: { 1: 1 } }),
  zstd: () => zstdCompressSync(Buffer.alloc(1_024 * MIB, "a")),
};

/** Makes one attempt at a receiver that answers like this. */
async function answerOf(t: Parameters<typeof attemptsFor>[0], respond: Respond): Promise<AttemptResult> {
  const receiver = await receiverFor(t, { respond });
  return await attempt(attemptsFor(t), receiver.url());
}

function answerWith(body: Buffer, encoding: string): Respond {
  return (_received, response) => void response.writeHead(200, { "content-encoding": encoding }).end(body);
}

/** Writes endlessly, as fast as it is read, and counts the bytes. */
async function flood(response: ServerResponse, onWritten: (length: number) => void): Promise<void> {
  const chunk = Buffer.alloc(64 * KIB, "x");
  while (!response.destroyed) {
    const more = response.write(chunk);
    onWritten(chunk.length);
    if (!more) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
  }
}

/** The peak growth of memory in use, inside and outside the heap, while `action` runs, in bytes. */
async function growthDuring(action: () => Promise<void>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  try {
    await action();
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, process.memoryUsage().rss) - before;
}
