import type { Conversation } from "@portico/protocol";
import type { PartOfNamed } from "../../platform/storage/part-of-named.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { listBotsOf } from "../applications/installations/installation-store.ts";
import { listGroupsOf } from "../directory/group-store.ts";
import { directKey, groupKey } from "./conversation-key.ts";

/** A member's conversation and its key. */
export type KeyedConversation = Pick<Conversation, "conversationId" | "chatType" | "name"> & { key: string };

/** A place in a member's list: a conversation that is or was in it. */
export interface ConversationPlace {
  chatType: Conversation["chatType"];
  name: string;
  /** Of the group, or of the bot. */
  id: string;
}

/** A member's conversations: groups first, then bots, each by name. */
export async function listConversationsOf(db: Db, userId: string): Promise<KeyedConversation[]> {
  return [...(await listGroups(db, userId)), ...(await listBots(db, userId))];
}

/** At most `limit` of them that come after a place; null stands for the beginning. */
export async function listConversationsAfter(
  db: Db,
  userId: string,
  place: ConversationPlace | null,
  limit: number,
): Promise<KeyedConversation[]> {
  const isAmongBots = place?.chatType === "user";
  const after = place === null ? {} : { after: place };
  const groups = isAmongBots ? [] : await listGroups(db, userId, { limit, ...after });
  if (groups.length === limit) return groups;
  return [...groups, ...(await listBots(db, userId, { limit: limit - groups.length, ...(isAmongBots && after) }))];
}

/** The place of a conversation in the list. */
export function placeOf({ chatType, name, conversationId }: KeyedConversation): ConversationPlace {
  return { chatType, name, id: conversationId.slice(conversationId.indexOf(":") + 1) };
}

async function listGroups(db: Db, userId: string, part?: PartOfNamed): Promise<KeyedConversation[]> {
  return (await listGroupsOf(db, userId, part)).map(({ groupId, name }) => ({
    key: groupKey(groupId),
    conversationId: `group:${groupId}`,
    chatType: "group",
    name,
  }));
}

async function listBots(db: Db, userId: string, part?: PartOfNamed): Promise<KeyedConversation[]> {
  return (await listBotsOf(db, userId, part)).map(({ appId, name }) => ({
    key: directKey(appId, userId),
    conversationId: `bot:${appId}`,
    chatType: "user",
    name,
  }));
}
