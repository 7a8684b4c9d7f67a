import Type, { type Static } from "typebox";
import { BOUNDS, LIMITS } from "../limits.ts";
import { MESSAGE_TYPES } from "../message-types.ts";
import { plainText } from "./plain-text.ts";

/** Body of `POST /api/client/v1/auth/login`. */
export const LoginBodySchema = Type.Object({
  tenantId: plainText({ minLength: 1, maxLength: BOUNDS.idLength }),
  username: plainText({ minLength: 1, maxLength: BOUNDS.idLength }),
  password: plainText({ minLength: 1, maxLength: 1024 }),
});

/** The signed-in member. */
export const MemberSchema = Type.Object({
  userId: Type.String(),
  username: Type.String(),
  name: Type.String(),
  tenantId: Type.String(),
});
export type Member = Static<typeof MemberSchema>;

/** `value` of a login. `expiresAt` is in epoch milliseconds. */
export const LoginSchema = Type.Object({
  accessToken: Type.String(),
  expiresAt: Type.Integer(),
  user: MemberSchema,
});
export type Login = Static<typeof LoginSchema>;

/** Someone or something mentioned in a message. */
export const MentionSchema = Type.Object({ userId: Type.String(), name: Type.String(), isBot: Type.Boolean() });
export type Mention = Static<typeof MentionSchema>;

/** A message as members see it (design, section 10). `createTime` is in epoch milliseconds. */
export const ClientMessageSchema = Type.Object({
  messageId: Type.Integer(),
  msgSeq: Type.Integer({ description: "Place in the conversation at which the message was created" }),
  msgType: Type.Enum([...MESSAGE_TYPES]),
  content: Type.Unknown({ description: "null once recalled" }),
  sender: Type.Object({ type: Type.Enum(["BOT", "MEMBER"]), id: Type.String(), name: Type.String() }),
  mentions: Type.Array(MentionSchema),
  cardVersion: Type.Union([Type.Integer(), Type.Null()]),
  recalled: Type.Boolean(),
  parentMessageId: Type.Union([Type.Integer(), Type.Null()]),
  createTime: Type.Integer(),
});
export type ClientMessage = Static<typeof ClientMessageSchema>;
export const ClientMessageListSchema = Type.Object({ items: Type.Array(ClientMessageSchema) });

/** A conversation in a member's list. */
export const ConversationSchema = Type.Object({
  conversationId: Type.String({ description: "group:<groupId> or bot:<appId>" }),
  chatType: Type.Enum(["group", "user"]),
  name: Type.String(),
  lastMessage: Type.Union([ClientMessageSchema, Type.Null()]),
  lastSeq: Type.Integer(),
});
export type Conversation = Static<typeof ConversationSchema>;
export const ConversationListSchema = Type.Object({ items: Type.Array(ConversationSchema) });

/** Query of a conversation's messages. */
export const MessagesQuerySchema = Type.Object({
  beforeSeq: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

/** Body of a member's post. */
export const PostMessageBodySchema = Type.Object({
  msgType: plainText({ minLength: 1 }),
  content: Type.Object({}),
  clientMessageId: Type.Optional(
    Type.Union([plainText({ minLength: 1, maxLength: LIMITS.clientMessageIdLength }), Type.Null()]),
  ),
});

/** `value` of a member's post. */
export const PostedMessageSchema = Type.Object({ messageId: Type.Integer(), msgSeq: Type.Integer() });
export type PostedMessage = Static<typeof PostedMessageSchema>;
