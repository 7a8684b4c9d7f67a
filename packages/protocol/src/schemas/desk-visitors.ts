import type { Static } from "typebox";
import * as Type from "typebox";
import { CustomerSessionSchema, VisitorSchema } from "./customer.ts";
import { DeskMessageSchema } from "./desk.ts";
import { nullable } from "./parts.ts";
import { plainText } from "./plain-text.ts";
import { WidgetVisitorSchema } from "./widget.ts";

const MAX_KEYWORD_LENGTH = 64;

/** A session of a visitor's history: without its place in the queue, with what was said at its end. */
export const PastSessionSchema = Type.Object({
  ...Type.Omit(CustomerSessionSchema, ["visitorId", "queuePosition"]).properties,
  closeReason: nullable(Type.String()),
  ratingComment: nullable(Type.String()),
});
export type PastSession = Static<typeof PastSessionSchema>;

/** `value` of `GET /api/desk/v1/apps/{appId}/visitors/{visitorId}`. */
export const DeskVisitorSchema = Type.Object({
  ...VisitorSchema.properties,
  sessions: Type.Array(PastSessionSchema, { description: "The newest 20, newest first" }),
});
export type DeskVisitor = Static<typeof DeskVisitorSchema>;

/** Query of `GET /api/desk/v1/apps/{appId}/search`. */
export const DeskSearchQuerySchema = Type.Object({
  q: plainText({
    minLength: 1,
    maxLength: MAX_KEYWORD_LENGTH,
    description: "Part of a visitor's id, nickname, phone or email; of a text's first 500 characters; of a file's name",
  }),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Only messages with a smaller messageId, and no visitors",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 20, description: "Of visitors, and of messages" }),
  ),
});

/** A message that was found, and whose conversation it is in. */
export const FoundMessageSchema = Type.Object({ message: DeskMessageSchema, visitor: WidgetVisitorSchema });
export type FoundMessage = Static<typeof FoundMessageSchema>;

/** `value` of `GET /api/desk/v1/apps/{appId}/search`; both lists newest first. */
export const DeskSearchSchema = Type.Object({
  visitors: Type.Array(WidgetVisitorSchema),
  messages: Type.Array(FoundMessageSchema, {
    description: "Fewer where contents are large, and where many messages had to be searched",
  }),
  nextBefore: nullable(
    Type.Integer({ description: "The `before` to go on with, also after an empty list; null at the end" }),
  ),
});
export type DeskSearch = Static<typeof DeskSearchSchema>;
