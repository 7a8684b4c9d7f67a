import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { PorticoClient } from "@portico/sdk";
import type { DemoService } from "../test/support/demo-service.ts";
import { REPORT_CARD } from "./report-card.ts";

const GROUP = { receiveIdType: "group_id", receiveId: "g_demo" } as const;

/**
 * Fills a demo world with what a working day leaves: messages of each type, cards, calls that failed.
 *
 * @returns the reqNo of a call whose signature was wrong.
 */
export async function seed(service: DemoService): Promise<string> {
  await talk(service);
  return await callInVain(service);
}

async function member(service: DemoService, username: string) {
  const { password } = service.member(username);
  const anybody = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: service.url }));
  const { accessToken } = await anybody.login({ body: { tenantId: "t_demo", username, password } });
  const api = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: service.url, token: accessToken }));
  const params = { conversationId: "group:g_demo" };
  return {
    api,
    say: (text: string, mentions: string[] = []) =>
      api.postMessage({ params, body: { msgType: "text", content: { text, mentions } } }),
    post: (msgType: string, content: Record<string, unknown>) =>
      api.postMessage({ params, body: { msgType, content } }),
  };
}

async function talk(service: DemoService): Promise<void> {
  const [alice, bob, carol] = await Promise.all(["alice", "bob", "carol"].map((name) => member(service, name)));
  if (!alice || !bob || !carol) throw new Error("the demo world has no members");
  const bot = botOf(service);
  await alice.say("Morning all. The release is at 14:00, https://status.example.com/releases/42 has the plan.");
  await alice.say("Please have a look before noon.");
  const question = await bob.say("@Demo bot how is build 42?", ["app_demo_bot"]);
  await bot.reply({
    ...GROUP,
    messageId: question.messageId,
    msgType: "text",
    content: { text: "Build 42 passed in 3 min 12 s." },
  });
  await carol.say("我觉得可以，周五再下线旧接口。\n另外：客户那边已经确认了时间窗口。");
  await carol.post("post", {
    title: "Checklist",
    content: [
      [
        { tag: "text", text: "1. Freeze " },
        { tag: "a", text: "the branch", href: "https://git.example.com" },
      ],
      [
        { tag: "text", text: "2. Tell " },
        { tag: "at", user_name: "Bob" },
      ],
    ],
  });
  const csv = new Blob(["week,calls\n46,1200\n".repeat(2_000)], { type: "text/csv" });
  const { fileKey } = await bob.api.uploadFile({ file: csv, fileName: "figures of november.csv" });
  await bob.post("file", { fileKey });
  await bot.sendMessage({ ...GROUP, msgType: "card", content: { card: REPORT_CARD } });
  await bob.say("@Alice done. Anything else?", ["alice"]);
}

/** Makes calls that are refused. @returns the reqNo of one whose signature was wrong. */
async function callInVain(service: DemoService): Promise<string> {
  const { appId, credentials } = service.app("app_demo_bot");
  const [credential] = credentials;
  if (credential === undefined) throw new Error("the demo bot has no credential");
  const bot = botOf(service);
  const missing = { receiveIdType: "group_id", receiveId: "g_nowhere" } as const;
  await bot.sendMessage({ ...missing, msgType: "text", content: { text: "hello" } }).catch(() => {});
  const wrong = new PorticoClient({
    baseUrl: service.url,
    appId,
    credentialId: credential.credentialId,
    appSecret: `${credential.appSecret}x`,
    maxRetries: 0,
  });
  const refused = await wrong.bot.listApps().then(
    () => null,
    (error: { reqNo?: string }) => error.reqNo,
  );
  return refused ?? "";
}

function botOf(service: DemoService) {
  const { appId, credentials } = service.app("app_demo_bot");
  const [credential] = credentials;
  if (credential === undefined) throw new Error("the demo bot has no credential");
  return new PorticoClient({ baseUrl: service.url, appId, ...credential }).bot;
}
