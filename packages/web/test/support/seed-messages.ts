import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PorticoClient } from "@portico/sdk";
import type { DemoService } from "./demo-service.ts";

const GROUP = { receiveIdType: "group_id", receiveId: "g_demo" } as const;

/** What the demo's bot writes to the demo's group, as a test wants it. */
export function demoBot(service: DemoService) {
  const { appId, credentials } = service.app("app_demo_bot");
  const [credential] = credentials;
  if (credential === undefined) throw new Error("the demo bot has no credential");
  const { bot } = new PorticoClient({ baseUrl: service.url, appId, ...credential });
  return {
    bot,
    say: (text: string) => bot.sendMessage({ ...GROUP, msgType: "text", content: { text } }),
  };
}

/**
 * Puts messages of the demo's bot into the demo's group, past the API, which would take minutes. Their texts begin with
 * "message 1 " and so on, and are of different lengths, so that their heights cannot be guessed.
 */
export async function seedMessages(service: DemoService, count: number): Promise<void> {
  const first = await demoBot(service).say("message 1 ");
  await service.halt("SIGTERM");
  const database = new DatabaseSync(join(service.dataDir, "portico.db"));
  database
    .prepare(`
      with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < ?)
      insert into messages (conversation_key, msg_seq, sender_type, sender_id, msg_type, content, mentions, created_at)
      select m.conversation_key, n, m.sender_type, m.sender_id, 'text',
        json_object('text', 'message ' || n || ' ' || replace(printf('%.*c', n * 7 % 40, '~'), '~', 'and so on ')),
        m.mentions, m.created_at + n * 1000 - 1000 * ?
      from numbers, messages m where m.message_id = ?
    `)
    .run(count, count, first.messageId);
  database
    .prepare(`
      update conversations set last_seq = ?
      where conversation_key = (select conversation_key from messages where message_id = ?)
    `)
    .run(count, first.messageId);
  database.close();
  await service.resume();
}
