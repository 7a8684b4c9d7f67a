import { ApiError, type Member } from "@portico/protocol";
import { installationStatus } from "../bot/installation-store.ts";
import { directKey, groupKey } from "../conversations/conversation-key.ts";
import { isGroupMember } from "../directory/group-store.ts";
import type { Db } from "../storage/schema.ts";

/** A conversation that a member may look at. */
export interface ConversationAccess {
  conversationKey: string;
  chatType: "group" | "user";
  /** Whether something may be said in it: a direct conversation needs the bot installed. */
  writable: boolean;
}

/**
 * Turns a member's conversationId (`group:<groupId>` or `bot:<appId>`) into the conversation, if it is one of theirs.
 *
 * @throws ApiError 400008; the answer does not tell a foreign conversation from none.
 */
export async function openConversation(db: Db, member: Member, conversationId: string): Promise<ConversationAccess> {
  const [, kind, id] = /^(group|bot):([^\0]{1,128})$/s.exec(conversationId) ?? [];
  if (kind === "group" && id !== undefined && (await isGroupMember(db, id, member.userId))) {
    return { conversationKey: groupKey(id), chatType: "group", writable: true };
  }
  if (kind === "bot" && id !== undefined) {
    const status = await installationStatus(db, id, "USER", member.userId);
    if (status !== null) {
      return { conversationKey: directKey(id, member.userId), chatType: "user", writable: status === "ACTIVE" };
    }
  }
  throw new ApiError("FORBIDDEN", "会话不存在或无权访问");
}
