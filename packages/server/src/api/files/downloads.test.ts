import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { Readable } from "node:stream";
import { describe, type TestContext, test } from "node:test";
import { Downloads } from "./downloads.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const endless = () => new Readable({ read: (size) => void size }).on("error", () => {});

/** An endless content, and the client's end of the connection on which it is sent. */
async function download(t: TestContext): Promise<{ content: Readable; client: Socket }> {
  const content = new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });
  const server = createServer(async (_request, response) => {
    response.on("close", () => content.destroy());
    (await new Downloads().begin(response, "127.0.0.1", async () => content))?.pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(client, "readable");
  return { content, client };
}

describe("downloads", () => {
  test("400 run at a time; one more is 429, and a released place can be used again", async () => {
    const downloads = new Downloads();
    const contents: Readable[] = [];
    const begin = (content: Readable) => {
      contents.push(content);
      content.push("x");
      return downloads.begin(response(), "127.0.0.1", async () => content);
    };
    for (let n = 0; n < 399; n++) await begin(endless());
    await assert.rejects(
      downloads.begin(response(), "127.0.0.1", () => Promise.reject(new Error("no store"))),
      /no store/,
    );
    assert.equal(await downloads.begin(response(), "127.0.0.1", async () => null), null);
    const failing = endless();
    await assert.rejects(
      downloads.begin(response(), "127.0.0.1", async () => failing.destroy(new Error("cut off"))),
      /cut off/,
    );
    await begin(endless());
    await assert.rejects(begin(endless()), { kind: "QUOTA_EXCEEDED", retryAfterSeconds: 1 });
    const [first] = contents;
    assert.ok(first);
    await once(first.destroy(), "close");
    await begin(endless());
    for (const content of contents) content.destroy();
  });
  test("when all places are taken, an address with fewer gets the oldest of the one with the most", async () => {
    const downloads = new Downloads();
    const begun: { address: string; answer: ServerResponse; content: Readable }[] = [];
    const begin = async (address: string) => {
      const [answer, content] = [response(), endless()];
      content.push("x");
      await downloads.begin(answer, address, async () => content);
      answer.once("close", () => content.destroy());
      begun.push({ address, answer, content });
    };
    const endedOf = (address: string) =>
      begun.flatMap((each, index) => (each.address === address && each.answer.destroyed ? [index] : []));
    for (let n = 0; n < 400; n++) await begin("10.0.0.1");
    await assert.rejects(begin("10.0.0.1"), { kind: "QUOTA_EXCEEDED" });
    for (let n = 0; n < 200; n++) await begin("2001:db8::/64");
    assert.deepEqual(
      endedOf("10.0.0.1"),
      Array.from({ length: 200 }, (_, index) => index),
    );
    for (const even of ["10.0.0.1", "2001:db8::/64"]) await assert.rejects(begin(even), { kind: "QUOTA_EXCEEDED" });
    for (let n = 0; n < 3; n++) await begin(`192.0.2.${n}`);
    assert.equal(endedOf("10.0.0.1").length + endedOf("2001:db8::/64").length, 203);
    for (const { content } of begun) content.destroy();
  });
  test("a download whose place is given away while its content is opened is not begun", async () => {
    const downloads = new Downloads();
    const opened = Promise.withResolvers<Readable>();
    const content = endless();
    content.push("x");
    const oldest = downloads.begin(response(), "10.0.0.1", () => opened.promise);
    const others = Array.from({ length: 399 }, endless);
    for (const other of others) {
      other.push("x");
      await downloads.begin(response(), "10.0.0.1", async () => other);
    }
    const newcomer = endless();
    newcomer.push("x");
    await downloads.begin(response(), "10.0.0.2", async () => newcomer);
    opened.resolve(content);
    await assert.rejects(oldest, /given away/);
    assert.ok(content.destroyed);
    for (const each of [...others, newcomer]) each.destroy();
  });
  test("a download whose reader takes nothing is ended within two minutes", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { content, client } = await download(t);
    client.pause();
    // Data in buffers on the way counts as taken.
    while (!content.destroyed) {
      t.mock.timers.tick(60_000);
      await new Promise(setImmediate);
    }
  });
  test("a download whose reader takes data is not ended", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { content, client } = await download(t);
    for (let minute = 0; minute < 10; minute++) {
      for (let bytes = 0; bytes < 8 * 1024 * 1024; ) {
        const chunk: Buffer | null = client.read();
        if (chunk === null) await once(client, "readable");
        else bytes += chunk.length;
      }
      t.mock.timers.tick(60_000);
    }
    assert.ok(!content.destroyed);
  });
});
