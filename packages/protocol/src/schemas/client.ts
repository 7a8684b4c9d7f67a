import type { Static } from "typebox";
import * as Type from "typebox";
import { BOUNDS, LIMITS } from "../limits.ts";
import { CHANGE_TYPES, MESSAGE_TYPES, TARGET_TYPES } from "../message-types.ts";
import { InstallationSchema } from "./bot.ts";
import { nullable, pageLimit } from "./parts.ts";
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

/** `value` of a logout. */
export const LoggedOutSchema = Type.Object({});

/** An account mentioned in a message. */
export const MentionSchema = Type.Object({ userId: Type.String(), name: Type.String(), isBot: Type.Boolean() });
export type { Mention } from "../events.ts";

/** A message as members see it. `createTime` is in epoch milliseconds. */
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
  readSeq: Type.Integer({ description: "The msgSeq up to which the member has read" }),
  unreadCount: Type.Integer({ description: "Messages by others after it, counted up to 100" }),
});
export type Conversation = Static<typeof ConversationSchema>;
export const ConversationListSchema = Type.Object({
  items: Type.Array(ConversationSchema),
  nextCursor: Type.Optional(nullable(Type.String({ description: "Of a page: asks for the next; null for the last" }))),
});

/** Query of `GET /api/client/v1/conversations`. Without `pageSize` and `cursor` the answer has all. */
export const ConversationPagesQuerySchema = Type.Object({
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.conversationsPageSize,
      description: "Asks for pages of so many at most",
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 4096, description: "The nextCursor of the page before; left out for the first" }),
  ),
});

/** Body of a member's mark of what they have read. */
export const MemberReadBodySchema = Type.Object({
  seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "A msgSeq" }),
});

/** `value` of such a mark. */
export const MemberReadSchema = Type.Object({ readSeq: Type.Integer() });

/** Query of whom a message may mention. */
export const ParticipantsQuerySchema = Type.Object({
  prefix: Type.Optional(plainText({ maxLength: BOUNDS.idLength, description: "How the name or the user name begins" })),
  keyword: Type.Optional(
    plainText({ maxLength: BOUNDS.idLength, description: "Part of the name, or of the initials of its Chinese words" }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

/** Query of a conversation's messages. */
export const MessagesQuerySchema = Type.Object({
  beforeSeq: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: pageLimit(),
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

/** A change of a conversation, with the current state of the message. */
export const ChangeSchema = Type.Object({
  msgSeq: Type.Integer({ description: "Place of the change in its conversation" }),
  type: Type.Enum([...CHANGE_TYPES]),
  message: ClientMessageSchema,
});
export type Change = Static<typeof ChangeSchema>;
export const ChangeListSchema = Type.Object({ items: Type.Array(ChangeSchema) });

/** Query of a conversation's changes. */
export const ChangesQuerySchema = Type.Object({
  afterSeq: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
  limit: pageLimit(),
});

/** Body of a card action: the member's action and its values. */
export const CardActionBodySchema = Type.Object({
  tag: plainText({ minLength: 1, maxLength: BOUNDS.idLength, description: "Tag of the component acted on" }),
  name: Type.Optional(Type.Union([plainText({ maxLength: BOUNDS.idLength }), Type.Null()])),
  value: Type.Optional(Type.Unknown({ description: "The button's value" })),
  option: Type.Optional(Type.Unknown({ description: "What was chosen" })),
  formValue: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: "^[A-Za-z0-9_+/-]+$",
      description: "The member's, such as Asia/Shanghai, by whose clock a time was entered",
    }),
  ),
});
export type CardActionBody = Static<typeof CardActionBodySchema>;

/** `value` of a card action. */
export const RecordedActionSchema = Type.Object({ actionId: Type.String() });

/** Body of an installation or uninstallation by a member. */
export const InstallationBodySchema = Type.Object({
  appId: plainText({ minLength: 1, maxLength: BOUNDS.idLength }),
  targetType: Type.Enum([...TARGET_TYPES]),
  targetId: plainText({ minLength: 1, maxLength: BOUNDS.idLength }),
});
export type InstallationBody = Static<typeof InstallationBodySchema>;

/** A bot that a member may install, and where it is installed among the places that the member can see. */
export const BotSchema = Type.Object({
  appId: Type.String(),
  displayName: Type.String(),
  avatar: Type.String(),
  installations: Type.Array(Type.Pick(InstallationSchema, ["targetType", "targetId"])),
});
export type Bot = Static<typeof BotSchema>;
export const BotListSchema = Type.Object({ items: Type.Array(BotSchema) });

/** Members and bots of a conversation. */
export const ParticipantListSchema = Type.Object({ items: Type.Array(MentionSchema) });
