import type { ChangeType, MessageType } from "@portico/protocol";
import type { Generated } from "kysely";

/** Conversations of members and bots, and files. */
export interface ConversationTables {
  /** `last_seq` numbers the changes of a conversation from 1 without gaps. */
  conversations: { conversation_key: string; last_seq: number };
  messages: {
    message_id: Generated<number>;
    conversation_key: string;
    msg_seq: number;
    sender_type: "BOT" | "MEMBER";
    /** appId of a bot, userId of a member. */
    sender_id: string;
    client_message_id: string | null;
    msg_type: MessageType;
    /** JSON text, as members receive it. */
    content: string;
    /** JSON text: the resolved mentions. */
    mentions: string;
    card_version: number | null;
    parent_message_id: number | null;
    recalled_at: number | null;
    created_at: number;
  };
  /** Changes of messages after they were sent: everything that has a `msg_seq` and is not a message. */
  conversation_changes: {
    conversation_key: string;
    msg_seq: number;
    type: Exclude<ChangeType, "message.created">;
    message_id: number;
  };
  /** The applications that receive a member's message: the bot of a direct chat, the mentioned bots of a group. */
  message_recipients: { message_id: number; app_id: string };
  /** The `msg_seq` up to which a member has read a conversation. */
  member_reads: { user_id: string; conversation_key: string; seq: number };
  card_actions: {
    action_id: string;
    message_id: number;
    /** The version of the card when the member acted on it. */
    card_version: number;
    user_id: string;
    /** JSON text. */
    action: string;
    created_at: number;
  };
  files: {
    file_key: string;
    /** Name of the content in the blob store, and the unguessable part of its URL. */
    blob_key: string;
    owner_type: "APP" | "MEMBER" | "VISITOR";
    owner_id: string;
    /** STORING until the content is in the blob store; DOOMED once it is to be removed. */
    state: "STORING" | "READY" | "DOOMED";
    file_name: string;
    mime_type: string;
    size: number;
    sha256: string;
    created_at: number;
    /** When the fileKey expires. */
    expires_at: number;
    /** When it was first sent. A sent file does not expire. */
    sent_at: number | null;
  };
}
