import type { Conversation } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { listBotsOf } from "../applications/installations/installation-store.ts";
import { listGroupsOf } from "../directory/group-store.ts";
import { directKey, groupKey } from "./conversation-key.ts";

/** A member's conversation and its key. */
export type KeyedConversation = Pick<Conversation, "conversationId" | "chatType" | "name"> & { key: string };

/** A member's conversations: groups first, then bots, each by name. */
export async function listConversationsOf(db: Db, userId: string): Promise<KeyedConversation[]> {
  const groups = (await listGroupsOf(db, userId)).map(({ groupId, name }) => ({
    key: groupKey(groupId),
    conversationId: `group:${groupId}`,
    chatType: "group" as const,
    name,
  }));
  const bots = (await listBotsOf(db, userId)).map(({ appId, name }) => ({
    key: directKey(appId, userId),
    conversationId: `bot:${appId}`,
    chatType: "user" as const,
    name,
  }));
  return [...groups, ...bots];
}
