import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { AnswerReader } from "./answer-reader.ts";
import { InvalidAnswer } from "./invalid-answer.ts";

const bodies = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const interims = fc.array(fc.constantFrom("100 Continue", "102 Processing", "103 Early Hints\r\nlink: </a>"), {
  maxLength: 3,
});
const statuses = fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304);
const framings = fc.constantFrom("length", "chunks", "connection");

/** An answer's bytes. Chunks have sizes of one or two digits, and now and then an extension; the last has a trailer. */
function answerBytes(status: number, body: Buffer, framing: string, before: readonly string[]): Buffer {
  const interim = before.map((text) => `HTTP/1.1 ${text}\r\n\r\n`).join("");
  const head = `${interim}HTTP/1.1 ${status} Whatever\r\nX-Any: a: b\r\n`;
  if (framing === "length") return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
  if (framing === "connection") return Buffer.concat([Buffer.from(`${head}\r\n`), body]);
  const chunks: Buffer[] = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)];
  for (let at = 0; at < body.length; at += 29) {
    const chunk = body.subarray(at, at + 29);
    chunks.push(
      Buffer.from(`${chunk.length.toString(16)}${at % 2 === 0 ? "" : ";a=b"}\r\n`),
      chunk,
      Buffer.from("\r\n"),
    );
  }
  return Buffer.concat([...chunks, Buffer.from("0\r\nX-Trailer: c\r\n\r\n")]);
}

/** Gives the bytes to a reader in pieces that end at these places. */
function readIn(bytes: Buffer, cuts: readonly number[]): AnswerReader {
  const reader = new AnswerReader();
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let at = 0;
  for (const end of [...ends, bytes.length]) {
    if (end > at) reader.read(bytes.subarray(at, end));
    at = end;
  }
  return reader;
}

describe("the reader of an answer", () => {
  test("finds the same in any pieces", () => {
    const cuts = fc.oneof(
      fc.array(fc.nat({ max: 2_000 }), { maxLength: 12 }),
      fc.constant(Array.from({ length: 2_000 }, (_, place) => place)),
    );
    fc.assert(
      fc.property(statuses, bodies, framings, interims, cuts, (status, body, framing, before, places) => {
        const reader = readIn(answerBytes(status, body, framing, before), places);
        assert.equal(reader.head?.status, status);
        assert.ok(reader.body.equals(body));
        assert.equal(reader.isDone, framing !== "connection");
        assert.equal(reader.isOverrun, false);
        assert.equal(reader.end(), true);
      }),
    );
  });

  test("tells what comes after the end from the body", () => {
    fc.assert(
      fc.property(statuses, bodies, fc.constantFrom("length", "chunks"), fc.nat(), (status, body, framing, cut) => {
        const bytes = Buffer.concat([
          answerBytes(status, body, framing, []),
          Buffer.from("HTTP/1.1 500 Injected\r\n\r\n"),
        ]);
        const reader = readIn(bytes, [cut]);
        assert.ok(reader.isDone && reader.isOverrun);
        assert.equal(reader.head?.status, status);
        assert.ok(reader.body.equals(body));
      }),
    );
  });

  test("is not at the end before the last byte", () => {
    fc.assert(
      fc.property(statuses, bodies, fc.constantFrom("length", "chunks"), fc.nat(), (status, body, framing, cut) => {
        const bytes = answerBytes(status, body, framing, []);
        const reader = new AnswerReader();
        reader.read(bytes.subarray(0, cut % bytes.length));
        assert.equal(reader.isDone, false);
        assert.equal(reader.end(), false);
      }),
    );
  });

  test("refuses nothing but by InvalidAnswer, whatever the bytes", () => {
    const texts = fc.array(
      fc.constantFrom(
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.",
        "\r\n",
        "\r",
        "\n",
        ":",
        " ",
        "transfer-encoding: chunked",
        "5",
        ";",
        "\0",
      ),
      { maxLength: 20 },
    );
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      texts.map((parts) => Buffer.from(parts.join(""))),
    );
    fc.assert(
      fc.property(garbage, fc.array(fc.nat({ max: 200 })), (bytes, cuts) => {
        try {
          readIn(Buffer.from(bytes), cuts);
        } catch (error) {
          assert.ok(error instanceof InvalidAnswer, String(error));
        }
      }),
    );
  });

  const HEADS: Record<string, [string, { isKept: boolean; seconds?: number; encoding?: string }]> = {
    "HTTP/1.1": ["HTTP/1.1 200\r\ncontent-length: 0", { isKept: true }],
    "HTTP/1.1 that closes": ["HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 0", { isKept: false }],
    "HTTP/1.0": ["HTTP/1.0 200 OK\r\ncontent-length: 0", { isKept: false }],
    "HTTP/1.0 that is kept": [
      "HTTP/1.0 200 OK\r\nconnection: x, keep-alive\r\nkeep-alive: timeout=5, max=9\r\ncontent-length: 0",
      { isKept: true, seconds: 5 },
    ],
    "a body to the end of the connection": ["HTTP/1.1 200 OK", { isKept: false }],
    "a coding that is not the last": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked, gzip", { isKept: false }],
    "two encodings": [
      "HTTP/1.1 204 \r\ncontent-encoding: GZIP\r\nContent-Encoding: br",
      { isKept: true, encoding: "gzip, br" },
    ],
    "a field of two lines": ["HTTP/1.1 304 No\r\nconnection: keep-alive,\r\n  close", { isKept: false }],
  };
  for (const [name, [text, { isKept, seconds = null, encoding = "" }]] of Object.entries(HEADS)) {
    test(`reads the head: ${name}`, () => {
      const { head } = readIn(Buffer.from(`${text}\r\n\r\n`), []);
      assert.deepEqual([head?.isKept, head?.keptForSeconds, head?.encoding], [isKept, seconds, encoding]);
    });
  }

  test("expects no body of 204 and 304, whatever their fields say", () => {
    for (const status of [204, 304]) {
      for (const field of ["content-length: 5", "transfer-encoding: chunked", "x: y"]) {
        const reader = readIn(Buffer.from(`HTTP/1.1 ${status} No\r\n${field}\r\n\r\n`), []);
        assert.ok(reader.isDone, `${status} ${field}`);
      }
    }
  });
});
