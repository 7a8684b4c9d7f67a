import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { createEventStream, PorticoClient } from "@portico/sdk";
import { MemberClient } from "../../server/test/support/member.ts";
import { type Receiver, startReceiver } from "../../server/test/support/receiver.ts";
import { consoleAs } from "../test/support/console-as.ts";
import type { DemoService } from "../test/support/demo-service.ts";
import { REPORT_CARD } from "./report-card.ts";

/** What the console's scenes find in the service. */
export interface SeededConsole extends AsyncDisposable {
  templateId: string;
  newAppId: string;
  /** For customer service, without agents and visitors. */
  newServiceId: string;
  refusedAppId: string;
  disabledAppId: string;
  /** Of a developer whose organisation has no application. */
  newcomer: { phone: string; password: string; channelId: number };
}

const BOT = "app_demo_bot";
const SERVICE = "app_demo_service";
/** Everything that a name may be, in one: markup, another direction, no place to break. */
const AWKWARD_NAME = "<b>Bot</b> \u05d1\u05d5\u05d8 \u6784\u5efa\u673a\u5668\u4eba_withoutAnyPlaceToBreakTheLine";

/** Fills the demo's applications with what a working day leaves, and adds some in other states. */
export async function seedConsole(service: DemoService): Promise<SeededConsole> {
  const { console: api, operator } = await asDeveloperAndOperator(service);
  const receiver = await startReceiver({ respond });
  const created = async (displayName: string) => {
    const { appId } = await api.createApp({ body: { type: "BOT", displayName } }, { tenantId: "t_demo" });
    return appId;
  };
  const newAppId = await created("Release bot");
  const refusedAppId = await created(AWKWARD_NAME);
  await api.submitApp({ params: { appId: refusedAppId }, body: { note: "It tells who is on call." } });
  await operator.rejectReview({ params: { appId: refusedAppId }, body: { comment: "Please name it after its team." } });
  const disabledAppId = await created("Advertiser");
  await api.submitApp({ params: { appId: disabledAppId }, body: {} });
  await operator.approveReview({ params: { appId: disabledAppId }, body: {} });
  await operator.disableApp({ params: { appId: disabledAppId }, body: { reason: "It sends advertisements." } });
  const { appId: newServiceId } = await api.createApp(
    { body: { type: "CUSTOMER_SERVICE", displayName: "Help desk" } },
    { tenantId: "t_demo" },
  );
  await submitAgain(api, operator, await created("Build bot"));
  const params = { appId: BOT };
  const { cardId: templateId } = await api.createTemplate({
    params,
    body: { name: "Weekly report", card: REPORT_CARD },
  });
  await api.updateTemplate({
    params: { ...params, cardId: templateId },
    body: { name: "Weekly report", card: twice() },
  });
  await api.rotateCredential({ params });
  await deliver(service, api, receiver);
  await serve(service, api);
  const connection = await connect(service, api);
  const newcomer = { phone: "13800000066", password: "a-password-of-its-own-1", channelId: 1 };
  await operator.createTenant({ body: { tenantId: "t_empty", name: "New company" } });
  await operator.createDeveloper({ body: { ...newcomer, name: "Newcomer", tenants: ["t_empty"] } });
  return {
    templateId,
    newAppId,
    newServiceId,
    refusedAppId,
    disabledAppId,
    newcomer,
    async [Symbol.asyncDispose]() {
      await connection.stop(0);
      await receiver.stop();
    },
  };
}

/** Leaves an application that was approved, has changed since, and asks for more; and one that is new. */
async function submitAgain(api: ConsoleApi, operator: OperatorApi, appId: string): Promise<void> {
  const params = { appId };
  await api.updateApp({ params, body: { description: "Tells of builds." } });
  await api.submitApp({ params, body: {} });
  await operator.approveReview({ params, body: {} });
  await api.updateApp({ params, body: { description: "Tells of builds and of incidents, and takes commands." } });
  const scopes = ["event.bot.message", "bot.message.reply"] as const;
  await api.requestScopes({ params, body: { scopes: [...scopes], note: "It shall take commands in groups." } });
  const { appId: fresh } = await api.createApp(
    { body: { type: "CUSTOMER_SERVICE", displayName: "Shop desk", description: "Answers the shop's customers." } },
    { tenantId: "t_demo" },
  );
  await api.updateApp({ params: { appId: fresh }, body: { allowedOrigins: ["https://shop.example.com"] } });
  await api.submitApp({ params: { appId: fresh }, body: { note: "For the opening on Monday." } });
}

type ConsoleApi = Awaited<ReturnType<typeof consoleAs>>["console"];
type OperatorApi = Awaited<ReturnType<typeof consoleAs>>["operator"];

async function asDeveloperAndOperator(service: DemoService) {
  const { console: api } = await consoleAs(service.url, service.developer);
  const { operator } = await consoleAs(service.url, service.operator);
  return { console: api, operator };
}

function twice() {
  return { ...REPORT_CARD, body: { elements: [...REPORT_CARD.body.elements].reverse() } };
}

/** Takes most events, and refuses those that say so. */
const respond: NonNullable<Parameters<typeof startReceiver>[0]>["respond"] = ({ body }, response) => {
  const isRefused = body.includes("refuse this");
  response.statusCode = isRefused ? 400 : 200;
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(isRefused ? { error: "unknown command" } : { ok: true }));
};

/** Subscribes the bot, and leaves deliveries: some that arrived, one that was refused. */
async function deliver(service: DemoService, api: ConsoleApi, receiver: Receiver): Promise<void> {
  const params = { appId: BOT };
  const body = { callbackUrl: receiver.url("/hook", "127.0.0.1") };
  await api.subscribe({ params: { ...params, eventType: "im.message.receive_v1" }, body });
  const { bot } = new PorticoClient({ baseUrl: service.url, appId: BOT, ...credentialOf(service, BOT) });
  await bot.listInstallations();
  await bot.listApps();
  const { say } = await memberOf(service);
  const said = ["is it green?", "refuse this", "thanks"];
  for (const text of said) await say(text);
  const arrived = async () => {
    const { items } = await api.listDeliveries({ params, query: {} });
    return items.filter(({ attemptCount }) => attemptCount > 0).length;
  };
  // Each question waits for its answer.
  while ((await arrived()) < said.length);
}

/** Subscribes by socket: the bot, which is connected, and the application for customer service, which is not. */
async function connect(service: DemoService, api: ConsoleApi) {
  const bySocket = { body: { transport: "SOCKET" } } as const;
  await api.subscribe({ params: { appId: BOT, eventType: "card.interaction" }, ...bySocket });
  await api.subscribe({ params: { appId: SERVICE, eventType: "customer.agent.status_v1" }, ...bySocket });
  const stream = createEventStream({
    baseUrl: service.url,
    appId: BOT,
    ...credentialOf(service, BOT),
    onEvent: async () => ({ ack: true }),
  });
  await stream.start();
  return stream;
}

function credentialOf(service: DemoService, appId: string) {
  const [credential] = service.app(appId).credentials;
  if (credential === undefined) throw new Error(`${appId} has no credential`);
  return credential;
}

/** Has somebody write to the bot. */
async function memberOf(service: DemoService) {
  const { username, password } = service.member("alice");
  const { api } = await MemberClient.signIn(service, { tenantId: "t_demo", username, password });
  const params = { conversationId: `bot:${BOT}` };
  return { say: (text: string) => api.postMessage({ params, body: { msgType: "text", content: { text } } }) };
}

/** Gives the application for customer service sites, visitors, conversations and canned replies. */
async function serve(service: DemoService, api: ConsoleApi): Promise<void> {
  const params = { appId: SERVICE };
  await api.updateApp({ params, body: { allowedOrigins: ["https://www.example.com", "https://shop.example.com"] } });
  const { customer } = new PorticoClient({ baseUrl: service.url, appId: SERVICE, ...credentialOf(service, SERVICE) });
  const dana = await customer.authVisitor({ thirdUserId: "customer-1", nickname: "Dana", email: "dana@example.com" });
  const other = await customer.authVisitor({ thirdUserId: "customer-2", nickname: "", phone: "13900000001" });
  const [agent] = await api.listAgents({ params }, { tenantId: "t_demo" });
  if (agent === undefined) throw new Error("the demo's customer service has an agent");
  const { agentId } = agent;
  const { sessionId } = await customer.createSession({ visitorId: dana.visitorId, agentId, subject: "Order 4711" });
  await customer.sendAgentMessage({ agentId, visitorId: dana.visitorId, content: "It left today." });
  await customer.closeSession({ sessionId });
  await rate(service, dana.visitorToken);
  await customer.createSession({ visitorId: other.visitorId });
  for (const reply of REPLIES) await api.createCannedReply({ params, body: reply });
}

const REPLIES = [
  {
    shortcut: "welcome",
    text: "Hello {{visitor.nickname}}, this is {{agent.name}} of {{app.name}}. What can I do for you?",
  },
  { shortcut: "退款进度", text: "您的退款申请已提交，预计 3 个工作日内原路退回。\n如有疑问请随时联系我们。" },
  { shortcut: "long-answer", text: "Please restart the device, then open the settings. ".repeat(20) },
];

/** Has a visitor rate their conversation. */
async function rate({ url }: DemoService, visitorToken: string): Promise<void> {
  const widget = createApiClient(WIDGET_ENDPOINTS, bearerExchange({ baseUrl: url, token: visitorToken }));
  await widget.rateSession({ body: { rating: 4, comment: "Quick." } });
}
