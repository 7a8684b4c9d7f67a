import type { Static } from "typebox";
import * as Type from "typebox";
import { CUSTOMER_MESSAGE_TYPES } from "../customer.ts";
import { BOUNDS, LIMITS } from "../limits.ts";
import { CustomerMessageSchema, CustomerSessionSchema, VisitorSchema } from "./customer.ts";
import { nullable, pageLimit, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";
import { WidgetSettingsSchema } from "./widget-settings.ts";

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
  agentName: nullable(Type.String({ description: "The agent's name when they wrote it" })),
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

/** The most characters of an origin. */
const MAX_SITE_LENGTH = 300;

/** Query of `GET /api/widget/v1/apps/{appId}`. */
export const WidgetAppQuerySchema = Type.Object({
  site: Type.Optional(
    Type.String({
      maxLength: MAX_SITE_LENGTH,
      description: "The origin of the page that a frame is in: it has to be allowed, too",
    }),
  ),
});

/** `value` of `GET /api/widget/v1/apps/{appId}`: what a widget shows before anybody has written. */
export const WidgetAppSchema = Type.Object({
  appId: Type.String(),
  name: Type.String(),
  anonymousVisitors: Type.Boolean({ description: "Whether a visitor needs no visitorToken of the site's" }),
  isOpen: Type.Boolean({ description: "Whether it is within the opening hours now; true without any" }),
  agentsOnline: Type.Boolean({ description: "Whether an agent is online" }),
  widget: WidgetSettingsSchema,
});
export type WidgetApp = Static<typeof WidgetAppSchema>;

/** Body of `POST /api/widget/v1/visitors`. */
export const AnonymousVisitorBodySchema = Type.Object({
  appId: plainText({ minLength: 1, maxLength: BOUNDS.idLength }),
  visitorKey: Type.Optional(
    nullable(plainText({ maxLength: 128, description: "What an earlier call gave: the same visitor again" })),
  ),
  isReturning: Type.Optional(
    nullable(Type.Boolean({ description: "Whether to be the visitor of the key, or of the cookie, and nobody new" })),
  ),
  site: Type.Optional(
    nullable(
      plainText({
        maxLength: MAX_SITE_LENGTH,
        description: "The origin of the page that a frame is in: it has to be allowed, too",
      }),
    ),
  ),
});

/** `value` of `POST /api/widget/v1/visitors`. */
export const AnonymousVisitorSchema = Type.Object({
  visitorId: Type.String(),
  isNew: Type.Boolean(),
  visitorToken: Type.String(),
  expiresAt: time("When the visitorToken is no longer good"),
  visitorKey: Type.String({ description: "For further tokens of the same visitor; valid until 180 days without use" }),
});
export type AnonymousVisitor = Static<typeof AnonymousVisitorSchema>;

/** `value` of `POST /api/widget/v1/auth/logout`. */
export const VisitorSignedOutSchema = Type.Object({});
