import {
  AGENT_STATUSES,
  CARD_ACTION_TYPE,
  EVENT_TYPES,
  type EventType,
  MESSAGE_TYPES,
  SESSION_CHANGES,
} from "@portico/protocol";
import { CustomerMessageSchema, CustomerSessionSchema } from "@portico/protocol/schemas";
import { OPEN_HEADERS } from "@portico/protocol/signature";
import { exampleOf } from "./examples.ts";
import type { Models } from "./models.ts";
import type { Operation, Parameter, PathItem, Schema } from "./openapi.ts";

const string: Schema = { type: "string" };
const integer: Schema = { type: "integer" };
const anything = (description: string): Schema => ({ description });

/** An object with these members, all of which are always present, and others that it has at times. */
function object(properties: Record<string, unknown>, sometimes: Record<string, unknown> = {}): Schema {
  return { type: "object", required: Object.keys(properties), properties: { ...properties, ...sometimes } };
}

const PERSON = object({ userId: string, username: string, name: string });
const PLACE = {
  messageId: integer,
  chatId: { ...string, description: "The receiveId of a reply" },
  chatType: { ...string, enum: ["group", "user"] },
  receiveIdType: { ...string, enum: ["group_id", "user_id"] },
};

const RECEIVED = object({
  ...PLACE,
  msgSeq: integer,
  msgType: { ...string, enum: [...MESSAGE_TYPES] },
  content: { ...anything("Depends on the msgType"), example: { text: "Is the build green?" } },
  mentions: { type: "array", items: object({ userId: string, name: string, isBot: { type: "boolean" } }) },
  parentMessageId: { type: ["integer", "null"], example: null },
  createTime: integer,
});

const ACTION = object(
  {
    type: { ...string, const: CARD_ACTION_TYPE },
    tag: { ...string, example: "button" },
    name: { type: ["string", "null"], example: "again" },
    value: { ...anything("The component's value, or what was entered"), example: { build: 1234 } },
    option: { ...anything("What was chosen"), example: null },
    formValue: { ...anything("By the control's name"), example: null },
  },
  { timeZone: { ...string, description: "Of a picker_datetime: the member's, such as Asia/Shanghai" } },
);

const STATUS: Schema = { ...string, enum: [...AGENT_STATUSES] };

interface EventKind {
  summary: string;
  members: Record<string, unknown>;
  /** What the body has only at times. */
  sometimes?: Record<string, unknown>;
}

/** What the body of an event has besides its head (docs/contract/events.md). */
const EVENTS: Record<EventType, EventKind> = {
  "im.message.receive_v1": {
    summary: "A member wrote to the bot, or mentioned it in a group",
    members: { message: RECEIVED, sender: PERSON },
  },
  "card.interaction": {
    summary: "A member acted on a card of the application",
    members: { message: object({ ...PLACE, cardVersion: integer }), action: ACTION, operator: PERSON },
  },
  "customer.message.created_v1": {
    summary: "A visitor's or an agent's message was stored",
    members: { message: CustomerMessageSchema, session: CustomerSessionSchema },
  },
  "customer.session.changed_v1": {
    summary: "A session of a visitor changed",
    members: {
      session: CustomerSessionSchema,
      change: { ...string, enum: [...SESSION_CHANGES] },
      previousAgentId: { type: ["string", "null"], example: null, description: "The previous agent's username" },
    },
    sometimes: {
      closeReason: { ...string, description: "Of a closed session, if somebody gave one" },
      ratingComment: { ...string, description: "Of a rated session, if the visitor wrote one" },
    },
  },
  "customer.agent.status_v1": {
    summary: "An agent chose another status, came or left",
    members: {
      agent: object({ agentId: string, agentName: string, status: STATUS, online: { type: "boolean" } }),
      previousStatus: STATUS,
    },
  },
};

/** The events, as requests that the service makes to an application's callback address. */
export function describeEvents(models: Models): Record<string, PathItem> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describe(type, models) }]));
}

function describe(type: EventType, models: Models): Operation {
  const { summary, members, sometimes = {} } = EVENTS[type];
  const always = {
    eventId: { ...string, description: "The same in every delivery of the event" },
    eventType: { ...string, const: type },
    appId: string,
    tenantId: string,
    createTime: integer,
    ...members,
  };
  const body = { ...object(always), properties: { ...always, ...sometimes } };
  const schema = models.add(nameOf(type), body);
  return {
    operationId: `event.${type}`,
    summary,
    tags: ["Events"],
    security: [],
    parameters: HEADERS.map((header) =>
      header.name === OPEN_HEADERS.eventType ? { ...header, example: type } : header,
    ),
    requestBody: {
      required: true,
      content: { "application/json": { schema, example: exampleOf(schema, models.schemas) } },
    },
    responses: {
      "2XX": { description: "Delivered" },
      "400": { description: "Refused for good, as by any status that is not named here" },
      "408": RETRIED,
      "409": RETRIED,
      "425": RETRIED,
      "429": RETRIED,
      "5XX": RETRIED,
    },
  };
}

/** `im.message.receive_v1` is `ImMessageReceiveV1Event`. */
function nameOf(type: EventType): string {
  return `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

const RETRIED = { description: "Not delivered; sent again by the schedule" };

const HEADERS: readonly Parameter[] = [
  header(OPEN_HEADERS.eventId, "The eventId", "evt_01JG0000000000000000000001"),
  header(OPEN_HEADERS.eventType, "The event's type", ""),
  header(OPEN_HEADERS.timestamp, "When this attempt was made, in milliseconds since the epoch", "1767225600000"),
  header(
    OPEN_HEADERS.signature,
    "HMAC-SHA256 of the eventId, a line feed, the timestamp, a line feed and the body, keyed with the subscription's secret",
    "3f1c0d6f5b8a9e7c4d2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d",
  ),
];

function header(name: string, description: string, example: string): Parameter {
  return { name, in: "header", required: true, description, schema: string, example };
}
