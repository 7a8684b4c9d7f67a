import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { pino } from "pino";
import { WebSocket } from "ws";
import { CertificateFiles, TLS } from "../src/platform/http/certificate-files.ts";
import { ConnectionLimit } from "../src/platform/http/connection-limit.ts";
import { CERTIFICATES, TEST_CA, TEST_KEY } from "./support/certificates.ts";
import { startProcess, startToFail } from "./support/process.ts";
import { TestClock } from "./support/test-clock.ts";

const DAY_MS = 86_400_000;

/** A folder with a certificate and its key, that is removed with the test. */
function pairIn(t: TestContext, cert: string = CERTIFICATES.good, key = TEST_KEY) {
  const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [certFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const env = {
    PORTICO_TLS_CERT_FILE: certFile,
    PORTICO_TLS_KEY_FILE: keyFile,
    PORTICO_DATA_DIR: join(folder, "data"),
  };
  return { certFile, keyFile, env: { ...env, PORTICO_PORT: "0", PORTICO_LOG_LEVEL: "warn" } };
}

/** The handshake with a server on this machine that the test's authority certifies. */
async function handshake(port: number, options: object = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", ca: TEST_CA, ...options });
  await once(socket, "secureConnect");
  return socket;
}

function get(url: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const outgoing = request(url, { ca: TEST_CA, agent: false }, async (response) => {
    const text = (await response.setEncoding("utf8").toArray()).join("");
    resolve({ status: response.statusCode ?? 0, text });
  });
  outgoing.on("error", reject).end();
  return promise;
}

describe("a service with a certificate", () => {
  for (const [environment, sent] of [
    ["production", "max-age=31536000"],
    ["test", null],
  ] as const) {
    test(`in ${environment} ${sent === null ? "leaves open" : "says"} that browsers come by https alone`, async (t) => {
      const server = await startProcess({ ...pairIn(t).env, PORTICO_ENVIRONMENT: environment });
      t.after(() => server.end("SIGKILL"));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const asked = request(`${server.url}/messenger/`, { ca: TEST_CA, agent: false }, (response) => {
        response.resume();
        resolve(response.headers["strict-transport-security"] ?? null);
      });
      asked.on("error", reject).end();
      assert.equal(await promise, sent);
    });
  }
  test("speaks https and wss, with TLS 1.2 and later", async (t) => {
    const server = await startProcess(pairIn(t).env);
    t.after(() => server.end("SIGKILL"));
    assert.match(server.url, /^https:/);
    assert.equal((await get(`${server.url}/readyz`)).status, 200);
    assert.match((await get(`${server.url}/messenger/`)).text, /<html/);

    const socket = new WebSocket(`${server.url.replace("https", "wss")}/api/client/v1/stream`, { ca: TEST_CA });
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "auth", accessToken: "nobody's" }));
    const [code] = await once(socket, "close");
    assert.equal(code, 4401);

    const port = Number(new URL(server.url).port);
    const modern = await handshake(port, { maxVersion: "TLSv1.2" });
    assert.equal(modern.getProtocol(), "TLSv1.2");
    modern.destroy();
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    await assert.rejects(handshake(port, old), /protocol version|unsupported protocol|alert/i);
    await assert.rejects(fetch(server.url.replace("https", "http")));
    assert.equal(await server.end("SIGTERM"), 0);
  });
  for (const [what, cert, key] of [
    ["is no certificate", "-----BEGIN CERTIFICATE-----\n", TEST_KEY],
    ["has the key of another", TEST_CA, TEST_KEY],
    ["has no key", CERTIFICATES.good, ""],
  ] as const) {
    test(`does not start with a file that ${what}, and names the variables`, async (t) => {
      const { code, output } = await startToFail(pairIn(t, cert, key).env);
      assert.equal(code, 1);
      assert.match(output, /^portico: PORTICO_TLS_CERT_FILE and PORTICO_TLS_KEY_FILE: /m);
      assert.ok(!output.includes("PRIVATE KEY"));
    });
  }
});

describe("the files of a certificate", () => {
  async function served(t: TestContext, cert?: string) {
    const { certFile, keyFile } = pairIn(t, cert);
    const lines: { level: number; msg: string }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const clock = new TestClock();
    const files = await CertificateFiles.open({ certFile, keyFile }, clock, log);
    const server = createServer({ ...TLS, ...files.pair }, (_request, response) => response.end("hello"));
    files.keepCurrent(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const nameOf = async () => {
      const socket = await handshake((server.address() as AddressInfo).port, { rejectUnauthorized: false });
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      return subject.CN;
    };
    return { certFile, keyFile, lines, files, server, clock, nameOf };
  }

  test("are used again when they have changed", async (t) => {
    const { certFile, lines, files, server, nameOf } = await served(t);
    assert.equal(await nameOf(), "good");
    writeFileSync(certFile, CERTIFICATES.wrongHost);
    await files.reload(server);
    assert.equal(await nameOf(), "other");
    assert.match(lines.at(-1)?.msg ?? "", /has changed/);
  });
  test("that are broken leave the last good pair in force; the log says so once", async (t) => {
    const { certFile, keyFile, lines, files, server, nameOf } = await served(t);
    for (const [file, content] of [
      [certFile, CERTIFICATES.good.slice(0, 200)],
      [keyFile, ""],
    ] as const) {
      writeFileSync(file, content);
      await files.reload(server);
      await files.reload(server);
      assert.equal(await nameOf(), "good");
    }
    rmSync(certFile);
    await files.reload(server);
    assert.equal(await nameOf(), "good");
    const errors = lines.filter(({ level }) => level === 50);
    assert.ok(errors.length >= 1 && errors.length <= 3, JSON.stringify(errors));
    for (const { msg } of errors) assert.match(msg, /the last good pair stays in force/);

    writeFileSync(certFile, CERTIFICATES.wrongHost);
    writeFileSync(keyFile, TEST_KEY);
    await files.reload(server);
    assert.equal(await nameOf(), "other");
  });
  test("whose end is near are mentioned once a day", async (t) => {
    const { lines, files, server, clock } = await served(t, CERTIFICATES.expired);
    const mentions = () => lines.filter(({ msg }) => /ends soon/.test(msg)).length;
    assert.equal(mentions(), 1);
    await files.reload(server);
    assert.equal(mentions(), 1);
    clock.turn(DAY_MS);
    await files.reload(server);
    assert.equal(mentions(), 2);
  });
});

test("the limit of connections knows those with TLS: of two it closes the idle one", async (t) => {
  let release = () => {};
  const server = createServer({ ...TLS, cert: CERTIFICATES.good, key: TEST_KEY }, (asked, response) => {
    if (asked.url === "/slow") release = () => response.end("late");
    else response.end("soon");
    response.on("finish", () => limit.answered(asked, response));
  });
  const limit = new ConnectionLimit(2);
  limit.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => {
    const socket = await handshake(port);
    socket.on("error", () => {});
    const asked = once(server, "request");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await asked;
    return socket;
  };
  const idle = await ask("/soon");
  await once(idle, "data");
  const busy = await ask("/slow");
  const idleClosed = once(idle, "close");
  const newcomer = await handshake(port);
  newcomer.on("error", () => {});
  await idleClosed;
  assert.equal(limit.count, 2);
  const late = once(busy, "data");
  release();
  assert.match(String(await late), /late$/);
  busy.destroy();
  newcomer.destroy();
});
