import type { Static } from "typebox";
import * as Type from "typebox";
import { AGENT_STATUSES, CUSTOMER_MESSAGE_TYPES, DESK_BOUNDS, SESSION_STATES } from "../customer.ts";
import { BOUNDS, LIMITS } from "../limits.ts";
import { CustomerMessageSchema, CustomerSessionSchema, VisitorSchema } from "./customer.ts";
import { nullable, pageLimit, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** `value` of `GET /api/desk/v1/apps`: the applications whose visitors the member serves. */
export const DeskAppListSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      appId: Type.String(),
      name: Type.String(),
      status: Type.Enum([...AGENT_STATUSES], { description: "What the agent chose to be" }),
      online: Type.Boolean({ description: "Whether they chose ONLINE and are there" }),
      maxSessions: Type.Integer({ description: "How many sessions at a time they are given of themselves" }),
      activeSessions: Type.Integer(),
      queued: Type.Integer({ description: "How many visitors wait" }),
    }),
  ),
});
export type DeskAppList = Static<typeof DeskAppListSchema>;
export type DeskApp = DeskAppList["items"][number];

/** Body of `PUT /api/desk/v1/apps/{appId}/status`. */
export const ChooseStatusBodySchema = Type.Object({ status: Type.Enum([...AGENT_STATUSES]) });

/** `value` of `PUT /api/desk/v1/apps/{appId}/status`. */
export const DeskAgentSchema = Type.Object({
  agentId: Type.String({ description: "The agent's account" }),
  agentName: Type.String(),
  status: Type.Enum([...AGENT_STATUSES]),
  online: Type.Boolean(),
  maxSessions: Type.Integer(),
  activeSessions: Type.Integer(),
});
export type DeskAgentAnswer = Static<typeof DeskAgentSchema>;

/** `value` of `GET /api/desk/v1/apps/{appId}/agents`, by account. */
export const DeskAgentListSchema = Type.Object({ items: Type.Array(DeskAgentSchema) });

/** A message, as an agent sees it. */
export const DeskMessageSchema = Type.Object({
  ...Type.Omit(CustomerMessageSchema, ["thirdMsgId"]).properties,
  agentName: nullable(Type.String({ description: "The agent's name when they wrote it" })),
  clientMessageId: nullable(Type.String({ description: "That this agent sent it with" })),
});
export type DeskMessage = Static<typeof DeskMessageSchema>;

/** A session, as an agent sees it. */
export const DeskSessionSchema = Type.Object({
  ...CustomerSessionSchema.properties,
  queuedAt: time("When it came into the queue, the last time"),
  visitor: VisitorSchema,
  lastMessage: nullable(DeskMessageSchema),
  lastSeq: Type.Integer({ description: "Of the visitor's newest message; 0 when there is none" }),
  readSeq: Type.Integer({ description: "Up to which the agents have read" }),
  visitorReadSeq: Type.Integer({ description: "Up to which the visitor has read" }),
});
export type DeskSession = Static<typeof DeskSessionSchema>;

/** Query of `GET /api/desk/v1/apps/{appId}/sessions`. */
export const DeskSessionsQuerySchema = Type.Object({
  status: Type.Enum([...SESSION_STATES]),
  all: Type.Optional(
    Type.Enum(["true", "false"], { default: "false", description: "Of ACTIVE ones: whether other agents' too" }),
  ),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Only sessions with a smaller sessionId; of ACTIVE and CLOSED ones",
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

/** `value` of `GET /api/desk/v1/apps/{appId}/sessions`: the queue in its order, others newest first. */
export const DeskSessionListSchema = Type.Object({ items: Type.Array(DeskSessionSchema) });

/** Body of `POST .../close`. */
export const CloseDeskSessionBodySchema = Type.Object({
  reason: Type.Optional(nullable(plainText({ maxLength: 512 }))),
});

/** Body of `POST .../transfer`. */
export const TransferBodySchema = Type.Object({
  agentId: plainText({ minLength: 1, maxLength: BOUNDS.idLength, description: "An agent's account" }),
  note: Type.Optional(
    nullable(
      plainText({
        maxLength: DESK_BOUNDS.noteLength,
        description: "Becomes a note of the session, which only agents see; a blank one is left out",
      }),
    ),
  ),
});

const seq = (minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description }));

/** Query of `GET .../messages`: messages after a place, or before one, or the newest. */
export const DeskMessagesQuerySchema = Type.Object({
  afterSeq: seq(0, "Only those after this one, from there on"),
  beforeSeq: seq(1, "Only those before this one"),
  limit: pageLimit(),
});

/** `value` of `GET .../messages`: the visitor's messages, including those of earlier sessions, oldest first. */
export const DeskMessageListSchema = Type.Object({
  items: Type.Array(DeskMessageSchema),
  lastSeq: Type.Integer({ description: "Of the newest message there is; 0 when there is none" }),
  readSeq: Type.Integer({ description: "Up to which the agents have read" }),
  visitorReadSeq: Type.Integer({ description: "Up to which the visitor has read" }),
});

/** Body of `POST .../messages`. */
export const PostDeskMessageBodySchema = Type.Object({
  content: Type.Unknown({ description: "A text for text, {fileKey, width, height} for image, {fileKey} for file" }),
  msgType: Type.Optional(
    nullable(plainText({ description: `One of ${CUSTOMER_MESSAGE_TYPES.join(", ")}`, default: "text" })),
  ),
  clientMessageId: Type.Optional(
    nullable(plainText({ minLength: 1, maxLength: LIMITS.clientMessageIdLength, description: "Idempotency key" })),
  ),
});

/** Body of `POST .../read`. */
export const MarkReadBodySchema = Type.Object({
  seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Of the last message that was read" }),
});

/** `value` of `POST .../read`: the last `seq` that the agents have read. */
export const ReadMarkSchema = Type.Object({ readSeq: Type.Integer() });
