import type { Static } from "typebox";
import * as Type from "typebox";
import { CUSTOMER_MESSAGE_TYPES } from "../customer.ts";
import { LIMITS } from "../limits.ts";
import { CustomerMessageSchema, CustomerSessionSchema, VisitorSchema } from "./customer.ts";
import { nullable, pageLimit } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** The most characters of a visitor's comment on a session. */
const MAX_COMMENT_LENGTH = 1_000;

/** A visitor, as their widget sees them: without the integrator's own data. */
export const WidgetVisitorSchema = Type.Omit(VisitorSchema, ["extra"]);
export type WidgetVisitor = Static<typeof WidgetVisitorSchema>;

/** `value` of `GET /api/widget/v1/session`. */
export const WidgetSessionSchema = Type.Object({
  visitor: WidgetVisitorSchema,
  session: nullable(CustomerSessionSchema),
});

/** A message, as a widget sees it. */
export const WidgetMessageSchema = Type.Object({
  ...Type.Omit(CustomerMessageSchema, ["thirdMsgId"]).properties,
  clientMessageId: nullable(Type.String({ description: "That the widget sent it with" })),
});
export type WidgetMessage = Static<typeof WidgetMessageSchema>;

const seq = (minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description }));

/** Query of `GET /api/widget/v1/messages`: messages after a place, or before one, or the newest. */
export const WidgetMessagesQuerySchema = Type.Object({
  afterSeq: seq(0, "Only those after this one, from there on"),
  beforeSeq: seq(1, "Only those before this one"),
  limit: pageLimit(),
});

/** `value` of `GET /api/widget/v1/messages`, oldest first. */
export const WidgetMessageListSchema = Type.Object({
  items: Type.Array(WidgetMessageSchema),
  lastSeq: Type.Integer({ description: "Of the newest message there is; 0 when there is none" }),
  readSeq: Type.Integer({ description: "Up to which the visitor has read" }),
  agentReadSeq: Type.Integer({ description: "Up to which the agents have read" }),
});

/** Body of `POST /api/widget/v1/messages`. */
export const PostWidgetMessageBodySchema = Type.Object({
  content: Type.Unknown({ description: "A text for text, {fileKey, width, height} for image, {fileKey} for file" }),
  msgType: Type.Optional(
    nullable(plainText({ description: `One of ${CUSTOMER_MESSAGE_TYPES.join(", ")}`, default: "text" })),
  ),
  clientMessageId: Type.Optional(
    nullable(plainText({ minLength: 1, maxLength: LIMITS.clientMessageIdLength, description: "Idempotency key" })),
  ),
});

/** Body of `POST /api/widget/v1/rating`. */
export const RateBodySchema = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  comment: Type.Optional(nullable(plainText({ maxLength: MAX_COMMENT_LENGTH }))),
  sessionId: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "The open session, or the one that was closed last; left out: the newer of them",
      }),
    ),
  ),
});
