import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { signRequest } from "@portico/protocol/signature";
import { APPS, acme, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { sendRaw } from "./support/http.ts";
import { assertUnharmed } from "./support/unharmed.ts";
import { suiteWorld, type World } from "./support/world.ts";

/** Joins the lines of a head; a body is appended by the caller. */
const head = (...lines: string[]) => `${lines.join("\r\n")}\r\n\r\n`;
const HOST = "Host: portico";
const CLOSE = "Connection: close";
const POST = `POST ${MESSAGES} HTTP/1.1`;
const JSON_TYPE = "Content-Type: application/json";

/** Invalid or ambiguous HTTP, and the status with which it is refused before any route runs. */
const MALFORMED: [what: string, bytes: string | Buffer, status: number][] = [
  ["random bytes", Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 167 + (n >> 3)) & 255)), 400],
  ["200,000 NULs", Buffer.alloc(200_000), 400],
  ["a TLS handshake", Buffer.from("1603010200010001fc0303", "hex"), 400],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["a version that does not exist", head("GET /healthz HTTP/9.9", HOST), 400],
  ["an unknown method", head("GRAB /healthz HTTP/1.1", HOST), 400],
  ["a request line without a target", head("GET HTTP/1.1", HOST), 400],
  ["a target with a space", head("GET /healthz /healthz HTTP/1.1", HOST), 400],
  ["a target with NUL", head("GET /health\0z HTTP/1.1", HOST), 400],
  ["a target with a line feed", head("GET /health\nz HTTP/1.1", HOST), 400],
  ["no Host", head("GET /healthz HTTP/1.1"), 400],
  ["a header without a colon", head("GET /healthz HTTP/1.1", HOST, "X-Open-App-Id app_bot"), 400],
  ["a header without a name", head("GET /healthz HTTP/1.1", HOST, ": app_bot"), 400],
  ["a header with a space before its colon", head(POST, HOST, "Content-Length : 2"), 400],
  ["a header with NUL", head("GET /healthz HTTP/1.1", HOST, "X-Open-App-Id: app\0bot"), 400],
  [
    "a header with a lone carriage return",
    head("GET /healthz HTTP/1.1", HOST, "X-Open-App-Id: a\rX-Open-Nonce: b"),
    400,
  ],
  ["a header folded over two lines", head("GET /healthz HTTP/1.1", HOST, "X-Open-App-Id: app", " bot"), 400],
  ["two Content-Lengths that differ", head(POST, HOST, JSON_TYPE, "Content-Length: 2", "Content-Length: 3"), 400],
  ["two Content-Lengths that agree", head(POST, HOST, JSON_TYPE, "Content-Length: 2", "Content-Length: 2"), 400],
  ["a list of Content-Lengths", head(POST, HOST, JSON_TYPE, "Content-Length: 2, 2"), 400],
  ["a negative Content-Length", head(POST, HOST, JSON_TYPE, "Content-Length: -1"), 400],
  ["a Content-Length with a plus", head(POST, HOST, JSON_TYPE, "Content-Length: +2"), 400],
  ["a Content-Length that is no number", head(POST, HOST, JSON_TYPE, "Content-Length: two"), 400],
  ["a Content-Length in hexadecimal", head(POST, HOST, JSON_TYPE, "Content-Length: 0x10"), 400],
  ["an empty Content-Length", head(POST, HOST, JSON_TYPE, "Content-Length:"), 400],
  ["a Content-Length beyond all counting", head(POST, HOST, JSON_TYPE, `Content-Length: ${"9".repeat(30)}`), 400],
  [
    "Content-Length and Transfer-Encoding",
    `${head(POST, HOST, JSON_TYPE, "Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\nX`,
    400,
  ],
  [
    "Transfer-Encoding and Content-Length",
    `${head(POST, HOST, JSON_TYPE, "Transfer-Encoding: chunked", "Content-Length: 6")}0\r\n\r\nX`,
    400,
  ],
  [
    "a Transfer-Encoding that is not chunked last",
    head(POST, HOST, JSON_TYPE, "Transfer-Encoding: chunked, gzip"),
    400,
  ],
  ["an unknown Transfer-Encoding", head(POST, HOST, JSON_TYPE, "Transfer-Encoding: xchunked"), 400],
  ["20 KB of one header", head("GET /healthz HTTP/1.1", HOST, `X-Open-Nonce: ${"x".repeat(20_000)}`), 431],
  [
    "20 KB of many headers",
    head("GET /healthz HTTP/1.1", HOST, ...Array.from({ length: 1_000 }, (_, n) => `X-${n}: ${"x".repeat(12)}`)),
    431,
  ],
  ["a target of 100 KB", head(`GET /${"x".repeat(100_000)} HTTP/1.1`, HOST), 431],
];

/** Invalid chunks; the head before them is signed. */
const BAD_CHUNKS: [what: string, body: string][] = [
  ["no number", "zz\r\n{}\r\n0\r\n\r\n"],
  ["negative", "-2\r\n{}\r\n0\r\n\r\n"],
  ["beyond all counting", `${"f".repeat(20)}\r\n{}`],
  ["smaller than its chunk", "1\r\n{}\r\n0\r\n\r\n"],
  ["followed by a line feed alone", "2\n{}\n0\n\n"],
  ["followed by NUL", "2\0\r\n{}\r\n0\r\n\r\n"],
];

/** The status of the first answer; NaN when there is none. */
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** The head and the body of a signed send of `text`, by lines. */
function signedSend(world: World, text: string) {
  const body = textBody(text);
  const { headers } = signRequest({
    ...credentialsOf("app_bot"),
    method: "POST",
    path: MESSAGES,
    rawQuery: "",
    timestamp: world.clock.now(),
    nonce: `n-${text}`,
    body,
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { body, lines: [POST, HOST, CLOSE, JSON_TYPE, ...lines] };
}

function signedBytes(world: World, text: string): Buffer {
  const { body, lines } = signedSend(world, text);
  return Buffer.from(head(...lines, `Content-Length: ${Buffer.byteLength(body)}`) + body);
}

/** Opens a connection, writes `bytes`, ends it in the way of `end`, and waits until it is closed. */
async function cutOff(world: World, bytes: Buffer, end: (socket: Socket) => void): Promise<void> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  // A reset connection reports an error and its end.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  await new Promise((resolve) => socket.write(bytes, resolve));
  end(socket);
  socket.resume();
  await closed;
}

onBothEngines("malformed HTTP", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));

  for (const [what, bytes, status] of MALFORMED) {
    test(`${what}: ${status}, and the connection is closed`, async () => {
      const answer = await sendRaw(world().url, bytes);
      assert.equal(statusOf(answer), status, answer);
      assert.deepEqual(statusesOf(answer), [status], "there is one answer");
      assert.match(answer, /\r\nconnection: close\r\n/i);
    });
  }
  test("the answer to invalid HTTP is an envelope", async () => {
    const answers = await Promise.all(
      ["nonsense\r\n\r\n", "nonsense\r\n\r\n"].map((bytes) => sendRaw(world().url, bytes)),
    );
    const bodies = answers.map((answer) => JSON.parse(answer.split("\r\n\r\n")[1] ?? ""));
    for (const { code, value, reqNo } of bodies) {
      assert.deepEqual([code, value], ["400006", null]);
      assert.match(reqNo, /^\w{16,}$/);
    }
    assert.notEqual(bodies[0].reqNo, bodies[1].reqNo);
  });

  for (const [what, chunks] of BAD_CHUNKS) {
    test(`a chunk size that is ${what}: 400 to a signed call, nothing is sent`, async () => {
      const { lines } = signedSend(world(), `chunks ${what}`);
      const answer = await sendRaw(world().url, head(...lines, "Transfer-Encoding: chunked") + chunks);
      assert.equal(statusOf(answer), 400, answer);
    });
  }

  for (const name of [
    "X-Open-App-Id",
    "X-Open-Credential-Id",
    "X-Open-Timestamp",
    "X-Open-Nonce",
    "X-Open-Signature",
  ]) {
    const altered = (alter: (line: Buffer) => Buffer) => {
      const { body, lines } = signedSend(world(), `${name} ${alter(Buffer.from("")).toString("hex")}`);
      const all = [...lines, `Content-Length: ${Buffer.byteLength(body)}`].map((line) =>
        line.startsWith(`${name}:`) ? alter(Buffer.from(line)) : Buffer.from(line),
      );
      const crlf = Buffer.from("\r\n");
      return Buffer.concat([...all.flatMap((line) => [line, crlf]), crlf, Buffer.from(body)]);
    };
    for (const [what, tail] of [
      ["a Latin-1 byte", Buffer.of(0xe9)],
      ["an é in UTF-8", Buffer.from("é")],
      ["an emoji in UTF-8", Buffer.from("😀")],
      ["every byte above ASCII", Buffer.from(Array.from({ length: 128 }, (_, n) => 128 + n))],
      ["the DEL character's neighbours", Buffer.from("~}|{")],
    ] as const) {
      test(`${name} with ${what}: 401`, async () => {
        const answer = await sendRaw(
          world().url,
          altered((line) => Buffer.concat([line, tail])),
        );
        assert.equal(statusOf(answer), 401, answer);
      });
    }
    test(`${name} twice, the same or another: 401`, async () => {
      for (const second of ["", "another"]) {
        const twice = altered((line) => {
          const [given = ""] = line.toString("latin1").split(": ").slice(1);
          return Buffer.concat([line, Buffer.from(`\r\n${name}: ${second || given}`)]);
        });
        const answer = await sendRaw(world().url, twice);
        assert.equal(statusOf(answer), 401, answer);
      }
    });
  }
  test("encoded line breaks cannot break the answer's head", async () => {
    for (const target of ["/nowhere%0d%0aX-Smuggled:%201", `${APPS}?a=%0d%0aX-Smuggled:%201`]) {
      const answer = await sendRaw(world().url, head(`GET ${target} HTTP/1.1`, HOST, CLOSE));
      assert.equal(Math.floor(statusOf(answer) / 100), 4, answer);
      assert.doesNotMatch(answer, /^x-smuggled/im);
    }
  });
  for (const [what, target, status] of [
    ["10 KB", `/${"x".repeat(10_000)}`, 404],
    ["dots", "/../../etc/passwd", 404],
    ["encoded dots", "/%2e%2e/%2e%2e/etc/passwd", 404],
    ["slashes", "//", 404],
    ["a whole URL", "http://169.254.169.254/latest/meta-data", 404],
    ["an asterisk", "*", 404],
    ["a byte above ASCII", "/\xff", 400],
    ["an é in UTF-8", "/\xc3\xa9", 400],
    ["a query in UTF-8", "/healthz?a=\xc3\xa9", 400],
    ["no slash", "healthz", 400],
  ] as const) {
    test(`a target of ${what}: ${status}`, async () => {
      const bytes = Buffer.from(head(`GET ${target} HTTP/1.1`, HOST, CLOSE), "latin1");
      assert.equal(statusOf(await sendRaw(world().url, bytes)), status);
    });
  }
  test("a request of HTTP/0.9 has no headers, so it is no signed call: 401", async () => {
    assert.equal(statusOf(await sendRaw(world().url, `GET ${APPS}\r\n\r\n`)), 401);
  });
  test("CONNECT is not served: the connection is closed", async () => {
    assert.equal(await sendRaw(world().url, head("CONNECT example.com:443 HTTP/1.1", "Host: example.com:443")), "");
  });

  test("a call interrupted at any position, with its connection ended or reset, sends nothing and consumes no nonce", async () => {
    const whole = signedBytes(world(), "cut off");
    const places = Array.from({ length: 20 }, (_, n) => Math.floor(((n + 1) * (whole.length - 1)) / 20));
    for (const place of places) {
      const part = whole.subarray(0, place);
      await cutOff(world(), part, (socket) => socket.end());
      await cutOff(world(), part, (socket) => socket.destroy());
      await cutOff(world(), part, (socket) => socket.resetAndDestroy());
    }
    assert.equal(statusOf(await sendRaw(world().url, whole)), 200);
    assert.equal(statusOf(await sendRaw(world().url, whole)), 401);
  });
  test("a call whose caller disconnects before the answer is executed once", async () => {
    const whole = signedBytes(world(), "hung up");
    await cutOff(world(), whole, (socket) => socket.destroy());
    // Answered only after the nonce of the first is decided, whichever of the two arrived first.
    const statuses = [statusOf(await sendRaw(world().url, whole)), statusOf(await sendRaw(world().url, whole))];
    assert.ok([200, 401].includes(statuses[0] ?? 0));
    assert.equal(statuses[1], 401);
  });
  test("a signed call followed by garbage gets its own answer", async () => {
    const { body, lines } = signedSend(world(), "garbage behind");
    const kept = lines.filter((line) => line !== CLOSE);
    const bytes = head(...kept, `Content-Length: ${Buffer.byteLength(body)}`) + body;
    const answer = await sendRaw(world().url, `${bytes}garbage\r\n\r\n`);
    assert.notEqual(statusOf(answer), 400, answer);
    assert.equal(statusOf(await sendRaw(world().url, bytes.replace(HOST, `${HOST}\r\n${CLOSE}`))), 401, "it was done");
  });
  test("after a body over the limit the connection serves the next call or is closed cleanly", async () => {
    const long = "x".repeat(300_000);
    const first = head(POST, HOST, JSON_TYPE, `Content-Length: ${long.length}`) + long;
    const statuses = statusesOf(await sendRaw(world().url, first + head("GET /healthz HTTP/1.1", HOST, CLOSE)));
    assert.ok(statuses.join() === "413,200" || statuses.join() === "413", statuses.join());
  });
  test("a body announced over the limit is refused before it is sent", async () => {
    const { hostname, port } = new URL(world().url);
    const socket = connect(Number(port), hostname);
    socket.write(head(POST, HOST, JSON_TYPE, "Content-Length: 300000"));
    const [answer] = await once(socket, "data");
    socket.destroy();
    assert.equal(statusOf(answer.toString("latin1")), 413);
  });

  test("after all these tests the service works normally", async () => {
    await assertUnharmed(world(), "app_bot");
  });
});
