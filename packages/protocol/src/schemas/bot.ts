import type { Static } from "typebox";
import * as Type from "typebox";
import { LIMITS } from "../limits.ts";
import { INSTALLATION_STATES, TARGET_TYPES } from "../message-types.ts";
import { APP_STATES, APP_TYPES } from "../scopes.ts";
import { nullable } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** Body of `POST /api/open/v2/bot/messages`. The shape of `content` depends on `msgType` and is checked later. */
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

/** Body of `PUT /api/open/v2/bot/messages/{messageId}/card`. The card is checked later. */
export const UpdateCardBodySchema = Type.Object({
  card: Type.Object({}),
  version: Type.Optional(
    nullable(
      Type.Integer({
        description: "Optimistic lock: the version that the card must have, else 500000; left out, it is overwritten",
      }),
    ),
  ),
});
export type UpdateCardBody = Static<typeof UpdateCardBodySchema>;

/** `value` of a recall: whether it took effect. */
export const RecalledSchema = Type.Boolean();

/** The form of an upload: one file. For the API description only; the form is read as a stream. */
export const FileFormSchema = Type.Object({ file: Type.String({ format: "binary" }) });

/** `value` of an upload (docs/contract/messages.md#files). `expiresAt` is in epoch milliseconds. */
export const UploadedFileSchema = Type.Object({
  fileKey: Type.String(),
  fileName: Type.String(),
  size: Type.Integer({ description: "In bytes" }),
  mimeType: Type.String(),
  expiresAt: Type.Integer({ description: "When the fileKey can no longer be sent" }),
});
export type UploadedFile = Static<typeof UploadedFileSchema>;

/** Filter of a list of installations. */
export const InstallationsQuerySchema = Type.Object({
  targetType: Type.Optional(Type.Enum([...TARGET_TYPES])),
  status: Type.Optional(Type.Enum([...INSTALLATION_STATES])),
});
export type InstallationsQuery = Static<typeof InstallationsQuerySchema>;

/** Query of `GET /api/open/v2/bot/installations`. Without `pageSize` and `cursor` the answer has all. */
export const InstallationPagesQuerySchema = Type.Object({
  ...InstallationsQuerySchema.properties,
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMITS.installationsPageSize, description: "Asks for pages of so many" }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 1024, description: "The nextCursor of the page before; left out for the first" }),
  ),
});

/**
 * A bot's installation in a conversation (docs/contract/messages.md#targets). `installedAt` is in epoch milliseconds.
 */
export const InstallationSchema = Type.Object({
  targetId: Type.String(),
  targetType: Type.Enum([...TARGET_TYPES]),
  status: Type.Enum([...INSTALLATION_STATES]),
  name: Type.String(),
  installedAt: Type.Integer(),
});
export type Installation = Static<typeof InstallationSchema>;
export const InstallationListSchema = Type.Object({
  items: Type.Array(InstallationSchema),
  nextCursor: Type.Optional(nullable(Type.String({ description: "Of a page: asks for the next; null for the last" }))),
});
export type InstallationPage = Required<Static<typeof InstallationListSchema>>;

/** The calling application, as in `GET /api/open/v2/bot/apps`. */
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
