import Type, { type Static } from "typebox";
import { LIMITS } from "../limits.ts";
import { INSTALLATION_STATES, TARGET_TYPES } from "../message-types.ts";
import { APP_STATES, APP_TYPES } from "../scopes.ts";
import { plainText } from "./plain-text.ts";

/** A type that may be null. */
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Body of `POST /api/open/v2/bot/messages`. The shape of `content` depends on `msgType` and is judged later. */
export const SendMessageBodySchema = Type.Object({
  receiveIdType: Type.Enum(["group_id", "user_id"]),
  receiveId: plainText({ minLength: 1 }),
  msgType: plainText({ minLength: 1 }),
  content: Type.Object({}),
  clientMessageId: Type.Optional(
    nullable(plainText({ minLength: 1, maxLength: LIMITS.clientMessageIdLength, description: "Idempotency key" })),
  ),
});
export type SendMessageBody = Static<typeof SendMessageBodySchema>;

/** `value` of a send, a reply and a card update. */
export const SentMessageSchema = Type.Object({
  messageId: Type.Integer(),
  msgSeq: Type.Integer(),
  clientMessageId: nullable(Type.String()),
  duplicate: Type.Boolean(),
});
export type SentMessage = Static<typeof SentMessageSchema>;

/** Query of `GET /api/open/v2/bot/installations`. */
export const InstallationsQuerySchema = Type.Object({
  targetType: Type.Optional(Type.Enum([...TARGET_TYPES])),
  status: Type.Optional(Type.Enum([...INSTALLATION_STATES])),
});
export type InstallationsQuery = Static<typeof InstallationsQuerySchema>;

/** A bot's installation in a conversation (spec.md, "Installation"). `installedAt` is in epoch milliseconds. */
export const InstallationSchema = Type.Object({
  targetId: Type.String(),
  targetType: Type.Enum([...TARGET_TYPES]),
  status: Type.Enum([...INSTALLATION_STATES]),
  name: Type.String(),
  installedAt: Type.Integer(),
});
export type Installation = Static<typeof InstallationSchema>;
export const InstallationListSchema = Type.Object({ items: Type.Array(InstallationSchema) });

/** The calling application as `GET /api/open/v2/bot/apps` shows it. */
export const AppInfoSchema = Type.Object({
  appId: Type.String(),
  type: Type.Enum([...APP_TYPES]),
  status: Type.Enum([...APP_STATES]),
  displayName: Type.String(),
  avatar: Type.String(),
  scopes: Type.Array(Type.String()),
});
export type AppInfo = Static<typeof AppInfoSchema>;
export const AppListSchema = Type.Object({ items: Type.Array(AppInfoSchema) });
