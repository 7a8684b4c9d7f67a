import { CUSTOMER_MESSAGE_TYPES, MESSAGE_TYPES } from "@portico/protocol";
import {
  AgentMessageBodySchema,
  PostDeskMessageBodySchema,
  PostMessageBodySchema,
  PostWidgetMessageBodySchema,
  SendMessageBodySchema,
  UpdateCardBodySchema,
  VisitorMessageBodySchema,
} from "@portico/protocol/schemas";
import { CARD } from "./card-models.ts";
import type { Schema } from "./openapi.ts";

const text = (description: string, example: string) => ({ type: "string", minLength: 1, description, example });
const pixels = { type: "integer", minimum: 0, maximum: 1_000_000, description: "In pixels" };
const fileKey = text(
  "Of an upload by the same sender, at most 10 minutes ago",
  "file__MJ5YcK_FycMxbB4850ifaYGpL87XRKu",
);

/** Accounts: a member's userId or username, a bot's appId. */
const mentions = {
  type: "array",
  maxItems: 500,
  description: "Accounts: a member's userId or username, or a bot's appId",
  items: { anyOf: [{ type: "string" }, { type: "object", properties: { userId: { type: "string" } } }] },
  example: ["u_alice"],
};

/** An object with these members, and maybe others. */
const object = (required: string[], properties: Record<string, Schema>): Schema => ({
  type: "object",
  required,
  properties,
  additionalProperties: true,
});
const content = (required: string[], properties: Record<string, Schema>) =>
  object(required, { ...properties, mentions });

const IMAGE = { fileKey, width: { ...pixels, example: 640 }, height: { ...pixels, example: 480 } };
const FILE = { fileKey };

/** The `content` of a message that is sent, by msgType (docs/contract/messages.md#content). */
const CONTENTS: Record<string, Schema> = {
  text: content(["text"], { text: text("Without markup", "Build 1234 passed") }),
  post: {
    ...content([], {}),
    description: "Rich text in a form that sender and clients have agreed upon; handed on as it was sent",
    example: { title: "Build 1234", content: [[{ tag: "text", text: "All tests passed" }]] },
  },
  card: {
    oneOf: [
      { title: "A card", ...content(["card"], { card: CARD }) },
      { title: "A template", ...content(["cardId"], { cardId: text("A template of the application", "tpl_build") }) },
    ],
  },
  image: content(Object.keys(IMAGE), IMAGE),
  file: content(Object.keys(FILE), FILE),
};

/** The `content` in customer service, where a text stands by itself. */
const CUSTOMER_CONTENTS: Record<string, Schema> = {
  text: text("Without markup", "Where is my order?"),
  image: object(Object.keys(IMAGE), IMAGE),
  file: object(Object.keys(FILE), FILE),
};

/** The bodies that the contract describes in general, in detail: one alternative for each msgType. */
export const DETAILED_BODIES: ReadonlyMap<unknown, Schema> = new Map<unknown, Schema>([
  [SendMessageBodySchema, byType(SendMessageBodySchema, MESSAGE_TYPES, CONTENTS)],
  [PostMessageBodySchema, byType(PostMessageBodySchema, ["text", "post", "image", "file"], CONTENTS)],
  [UpdateCardBodySchema, withCard(UpdateCardBodySchema)],
  ...[VisitorMessageBodySchema, AgentMessageBodySchema, PostDeskMessageBodySchema, PostWidgetMessageBodySchema].map(
    (schema): [unknown, Schema] => [schema, byType(schema, CUSTOMER_MESSAGE_TYPES, CUSTOMER_CONTENTS)],
  ),
]);

function byType(schema: object, types: readonly string[], contents: Record<string, Schema>): Schema {
  const { properties, required } = schema as { properties: Record<string, Schema>; required: string[] };
  const alternatives = types.map((type) => ({
    title: type,
    type: "object",
    required: isText(type, required) ? required : [...new Set([...required, "msgType"])],
    properties: { ...properties, msgType: { type: "string", const: type }, content: contents[type] },
  }));
  // A body without a msgType is a text, but has the form of others too.
  return types.some((type) => isText(type, required)) ? { anyOf: alternatives } : { oneOf: alternatives };
}

/** Whether the msgType may be left out, as it may for texts in customer service. */
function isText(type: string, required: readonly string[]): boolean {
  return type === "text" && !required.includes("msgType");
}

function withCard(schema: { properties: object }): Schema {
  return { ...schema, properties: { ...schema.properties, card: CARD } };
}
