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
    (await new Downloads().begin(response, async () => content))?.pipe(response);
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
      return downloads.begin(response(), async () => content);
    };
    for (let n = 0; n < 399; n++) await begin(endless());
    await assert.rejects(
      downloads.begin(response(), () => Promise.reject(new Error("no store"))),
      /no store/,
    );
    assert.equal(await downloads.begin(response(), async () => null), null);
    const failing = endless();
    await assert.rejects(
      downloads.begin(response(), async () => failing.destroy(new Error("cut off"))),
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
