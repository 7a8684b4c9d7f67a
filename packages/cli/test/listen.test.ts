import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { verifyWebhook } from "@portico/sdk";
import { type BotConnection, startSocketService } from "../../sdk/test/socket-service.ts";
import { createWorkspace, credentialArgs } from "./portico.ts";

/** Starts `portico listen` in a process of its own, and waits until it is connected. */
async function startListening(args: string[], service: Awaited<ReturnType<typeof startSocketService>>) {
  const workspace = await createWorkspace();
  const connected = service.nextConnection();
  const child = workspace.start(["listen", ...credentialArgs(service.options), ...args]);
  const complaints: string[] = [];
  const greeted = new Promise<void>((resolve) => {
    createInterface(child.stderr).on("line", (line) => {
      complaints.push(line);
      if (/listening to|In the test environment/.test(line)) resolve();
    });
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = once(child, "close");
  const connection: BotConnection = await connected;
  await greeted;
  return {
    connection,
    complaints,
    line: async () => String((await lines.next()).value),
    /** Interrupts it as Ctrl-C does. @returns the exit code. */
    async interrupt(signal: NodeJS.Signals = "SIGINT") {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      await workspace[Symbol.asyncDispose]();
    },
  };
}

test("listen prints a line for each event and acknowledges it; Ctrl-C ends it with 0", async () => {
  await using service = await startSocketService();
  await using listening = await startListening([], service);
  assert.deepEqual(listening.complaints, ["listening to im.message.receive_v1 of app_demo; Ctrl-C ends it"]);
  listening.connection.sendMessage("evt_1");
  assert.match(await listening.line(), /^20\S+Z {2}im\.message\.receive_v1 {2}evt_1 {2}1 {2}acknowledged {2}\d+ ms$/);
  assert.deepEqual(await listening.connection.answerTo("evt_1"), { type: "ack", deliveryId: "evt_1" });
  assert.equal(await listening.interrupt(), 0);
});

test("SIGTERM ends it with 0 too, and --json prints a line of JSON", async () => {
  await using service = await startSocketService({ eventTypes: [] });
  await using listening = await startListening(
    ["--json", "--event", "im.message.receive_v1,card.interaction"],
    service,
  );
  assert.match(service.handshakes[0] ?? "", /\?take=im\.message\.receive_v1,card\.interaction$/);
  assert.match(listening.complaints.join("\n"), /no event will come\n.*--event/);
  listening.connection.sendMessage("evt_1");
  assert.partialDeepStrictEqual(JSON.parse(await listening.line()), { eventId: "evt_1", status: "acknowledged" });
  assert.equal(await listening.interrupt("SIGTERM"), 0);
});

test("forwarded events are signed webhooks, and their answers are judged as a webhook's", async () => {
  await using service = await startSocketService();
  const heard: string[] = [];
  const statuses = [200, 500, 400, 302, 429];
  let secret = "s3cr3t";
  const receiver = createServer(async (request, response) => {
    const { eventId } = verifyWebhook({ headers: request.headers, body: await text(request), secret });
    heard.push(eventId);
    response.writeHead(statuses.shift() ?? 200, { Location: "/elsewhere" }).end("an answer");
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`;
  const expected = [
    [200, { type: "ack" }],
    [500, { type: "nack", reason: "HTTP 500" }],
    [400, { type: "nack", reason: "HTTP 400", retry: false }],
    [302, { type: "nack", reason: "HTTP 302", retry: false }],
    [429, { type: "nack", reason: "HTTP 429" }],
  ] as const;
  {
    await using listening = await startListening(["--forward", url, "--secret", secret], service);
    for (const [status, frame] of expected) {
      const deliveryId = `evt_${status}`;
      listening.connection.sendMessage(deliveryId);
      assert.deepEqual(await listening.connection.answerTo(deliveryId), { ...frame, deliveryId });
      assert.match(await listening.line(), new RegExp(`evt_${status} {2}1 {2}${status} `));
    }
    assert.equal(heard.length, expected.length);
    receiver.closeAllConnections();
  }
  {
    await using listening = await startListening(["--forward", url], service);
    secret = /^the webhook secret is (\S+)$/.exec(listening.complaints[0] ?? "")?.[1] ?? "";
    assert.ok(secret.length >= 32);
    listening.connection.sendMessage("evt_made_up");
    assert.equal((await listening.connection.answerTo("evt_made_up")).type, "ack");
    receiver.close();
    receiver.closeAllConnections();
    await once(receiver, "close");
    listening.connection.sendMessage("evt_unheard");
    const unheard = await listening.connection.answerTo("evt_unheard");
    assert.deepEqual(unheard, { type: "nack", deliveryId: "evt_unheard", reason: "ECONNREFUSED" });
  }
});

test("a connection that ends is told, and so is the next one", async (t) => {
  await using service = await startSocketService();
  await using listening = await startListening([], service);
  const next = service.nextConnection();
  listening.connection.goodbye("restart");
  await next;
  await t.waitFor(() => assert.match(listening.complaints.join("\n"), /service restarts.*\nconnected again as /), {
    timeout: 20_000,
  });
});

test("a refusal is explained, and ends it with 1", async () => {
  await using service = await startSocketService();
  service.refusals.push({ status: 403, code: "400005" });
  await using workspace = await createWorkspace();
  const { code, stderr } = await workspace.portico(["listen", ...credentialArgs(service.options)]);
  assert.equal(code, 1);
  assert.match(stderr, /^refused: 400005 .*\n.*not ACTIVE/);
});

test("when the service ends the connection for good, so does the command, with 1", async () => {
  await using service = await startSocketService();
  const connected = service.nextConnection();
  await using workspace = await createWorkspace();
  const run = workspace.portico(["listen", ...credentialArgs(service.options)]);
  (await connected).goodbye("disabled");
  const { code, stderr } = await run;
  assert.equal(code, 1);
  assert.match(stderr, /portico listen: the service has ended the connection\nThe credential was revoked/);
});
