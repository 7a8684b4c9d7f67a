import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS, DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DemoService } from "../test/support/demo-service.ts";
import { deskVisitor } from "../test/support/desk-visitor.ts";

const appId = "app_demo_service";

/** An agent of the demo's customer service, played by the desk's API. */
export async function deskAgent(service: DemoService, username: string) {
  const anybody = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: service.url }));
  const { password } = service.member(username);
  const { accessToken } = await anybody.login({ body: { tenantId: "t_demo", username, password } });
  return createApiClient(DESK_ENDPOINTS, bearerExchange({ baseUrl: service.url, token: accessToken }));
}

/**
 * Fills the demo's customer service with what a morning leaves: an earlier conversation of Ann's (the first session), the one
 * that Bob has with her (2), and who waits: Li Lei (3), somebody hostile (4), and a visitor of whom nothing is known (5).
 */
export async function seedDesk(service: DemoService): Promise<void> {
  const bob = await deskAgent(service, "bob");
  const ann = await deskVisitor(service, "c-4711", {
    nickname: "Ann Miller",
    phone: "+49 30 901820",
    email: "ann.miller@example.com",
    extra: { plan: "gold", orders: 12, address: { city: "Berlin", zip: "10115" } },
  });
  const session = (sessionId: number) => ({ params: { appId, sessionId: String(sessionId) } });
  const write = (sessionId: number, content: string) => bob.postMessage({ ...session(sessionId), body: { content } });

  await ann.say("Do you ship to Austria?");
  await bob.acceptSession(session(1));
  await write(1, "We do, within five days.");
  await bob.closeSession({ ...session(1), body: { reason: "answered" } });
  await ann.api.rateSession({ body: { rating: 4, comment: "Quick and friendly" } });

  await ann.say(
    "Hello, I ordered a pair of shoes last week (order 4711). https://status.example.com/t/4711 says nothing.",
  );
  await bob.acceptSession(session(2));
  await write(2, "Good morning Ann, let me look at that for you.");
  await bob.postNote({ ...session(2), body: { text: "The carrier has lost it. Offer a new pair." } });
  await write(2, "Found it:\nthe parcel is in Leipzig and will be with you tomorrow.");
  await ann.say("Great, thank you!");
  await ann.send("file", new Blob(["%PDF".repeat(1_000)], { type: "application/pdf" }), "invoice 4711.pdf");
  for (const [shortcut, text] of [
    ["greeting", "Hello {{visitor.nickname}}, this is {{agent.name}} of {{app.name}}. How can I help?"],
    ["money-back", "We have refunded the amount. It takes three to five days until your bank shows it."],
    ["谢谢", "感谢您的耐心等待。"],
  ] as const) {
    await bob.createCannedReply({ params: { appId }, body: { shortcut, text } });
  }
  const li = await deskVisitor(service, "c-4712", { nickname: "李雷", phone: "13800138000" });
  await li.say("你好，请问发票什么时候能开？");
  const hostile = await deskVisitor(service, "c-666", {
    nickname: "<img src=x onerror=alert(1)>\u202egpj.exe",
    extra: { "<b>x</b>": "<script>alert(1)</script>" },
  });
  await hostile.say("\u202ehello <b>bold</b> javascript:alert(1) http://[::1");
  await (await deskVisitor(service, "c-4713")).say("hi");
}
