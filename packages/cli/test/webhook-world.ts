import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { nodeHttpHandler, PorticoClient, type WebhookEvent } from "@portico/sdk";
import { CERTIFICATES, TEST_CA, TEST_KEY } from "../../server/test/support/certificates.ts";
import { MemberClient } from "../../server/test/support/member.ts";
import { ConsoleApi } from "../src/console-api.ts";
import { startDemoService } from "./demo-service.ts";

/** The demo, and a bot on this machine that answers each message with a greeting. */
export async function startWebhookWorld() {
  const service = await startDemoService(async (workspace) => ({
    PORTICO_WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
    NODE_EXTRA_CA_CERTS: await workspace.write("ca.pem", TEST_CA),
  }));
  const { cli, member, provision } = JSON.parse(await service.read("data/demo.json"));
  const client = new PorticoClient({ ...cli, baseUrl: service.baseUrl });
  const alice = await MemberClient.signIn({ url: service.baseUrl }, member);
  const events: WebhookEvent[] = [];
  const world = { secret: "unknown" };
  const handle = nodeHttpHandler({
    secret: () => world.secret,
    onError: () => {},
    on: {
      "im.message.receive_v1": async (event) => {
        events.push(event);
        const { eventId, message, sender } = event;
        await client.bot.reply({
          messageId: message.messageId,
          receiveIdType: message.receiveIdType,
          receiveId: message.chatId,
          msgType: "text",
          content: { text: `Hello ${sender.name}` },
          clientMessageId: eventId,
        });
      },
    },
  });
  const receiver = createServer({ cert: CERTIFICATES.good, key: TEST_KEY }, handle);
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  return Object.assign(world, {
    service,
    alice,
    /** The console API, for polling without starting a process each time. */
    api: new ConsoleApi({ ...provision.developers[0], baseUrl: service.baseUrl }),
    events,
    url: `https://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      receiver.closeAllConnections();
      receiver.close();
      await once(receiver, "close");
      await service[Symbol.asyncDispose]();
    },
  });
}
