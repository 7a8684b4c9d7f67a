import { ApiError, type Member } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { installationStatus } from "../applications/installations/installation-store.ts";
import { isGroupMember } from "../directory/group-store.ts";
import { directKey, groupKey } from "./conversation-key.ts";

/** A conversation that a member may read. */
export interface ConversationAccess {
  conversationKey: string;
  chatType: "group" | "user";
  /** Whether the member may post: a direct conversation needs the bot to be installed. */
  writable: boolean;
}

/** What a member's conversationId (`group:<groupId>` or `bot:<appId>`) refers to, whether it exists or not. */
export interface NamedConversation {
  kind: "group" | "bot";
  id: string;
  conversationKey: string;
}

/**
 * Parses a conversationId.
 *
 * @throws ApiError 400008 when it is malformed.
 */
export function parseConversationId(member: Member, conversationId: string): NamedConversation {
  const named = nameOf(member, conversationId);
  if (named === null) throw notYours();
  return named;
}

function nameOf(member: Member, conversationId: string): NamedConversation | null {
  const [, kind, id] = /^(group|bot):([^\0]{1,128})$/s.exec(conversationId) ?? [];
  if (kind === "group" && id !== undefined) return { kind, id, conversationKey: groupKey(id) };
  if (kind === "bot" && id !== undefined) return { kind, id, conversationKey: directKey(id, member.userId) };
  return null;
}

/** The key of a conversationId; for a malformed one, a key that no conversation has. */
export function conversationKeyOf(member: Member, conversationId: string): string {
  return nameOf(member, conversationId)?.conversationKey ?? "";
}

/**
 * Opens a conversation of the member.
 *
 * @throws ApiError 400008; the same for a conversation that does not exist and for one of other members.
 */
export async function openConversation(db: Db, member: Member, named: NamedConversation): Promise<ConversationAccess> {
  const access = await findConversation(db, member, named);
  if (access === null) throw notYours();
  return access;
}

/** The conversation, if it is one of the member's; null when it is not, or does not exist. */
export async function findConversation(
  db: Db,
  member: Member,
  { kind, id, conversationKey }: NamedConversation,
): Promise<ConversationAccess | null> {
  if (kind === "group") {
    const isTheirs = await isGroupMember(db, id, member.userId);
    return isTheirs ? { conversationKey, chatType: "group", writable: true } : null;
  }
  const status = await installationStatus(db, id, "USER", member.userId);
  return status === null ? null : { conversationKey, chatType: "user", writable: status === "ACTIVE" };
}

function notYours(): ApiError {
  return new ApiError("CONVERSATION_UNREACHABLE");
}
