import { CARD_LIMITS, CARD_SCHEMA, CARD_TAGS } from "@portico/protocol/cards";
import { COMPONENT_KINDS, COMPONENTS, type ComponentKind, caption, link, string } from "./card-components.ts";
import type { Schema } from "./openapi.ts";

/** The card of a message (docs/contract/cards.md), as a reference to its model. */
export const CARD: Schema = { $ref: "#/components/schemas/Card" };

/** Every model that a card consists of, by name. */
export const CARD_MODELS: Readonly<Record<string, Schema>> = {
  Card: {
    type: "object",
    description:
      `At most ${CARD_LIMITS.jsonBytes} bytes, ${CARD_LIMITS.components} components and ${CARD_LIMITS.levels} levels. ` +
      "Members that are not named here are passed on as they are.",
    required: ["schema", "body"],
    additionalProperties: true,
    properties: {
      schema: { type: "string", const: CARD_SCHEMA },
      config: {
        type: "object",
        properties: {
          width_mode: { type: "string", enum: ["default", "compact", "fill"] },
          summary: { $ref: "#/components/schemas/CardCaption" },
        },
      },
      header: {
        type: "object",
        properties: {
          title: { $ref: "#/components/schemas/CardCaption" },
          subtitle: { $ref: "#/components/schemas/CardCaption" },
          template: string("A colour's name", "green"),
        },
      },
      card_link: { type: "object", properties: { url: link("Where a press on the card leads") } },
      body: { type: "object", required: ["elements"], properties: { elements: COMPONENTS } },
    },
    example: {
      schema: CARD_SCHEMA,
      header: { title: { content: "Build 1234 passed" }, template: "green" },
      body: {
        elements: [
          { tag: "markdown", content: "**main** is green again." },
          { tag: "button", text: { content: "Run again" }, name: "again", value: { build: 1234 } },
        ],
      },
    },
  },
  CardComponent: {
    type: "object",
    required: ["tag"],
    properties: { tag: { type: "string", enum: [...CARD_TAGS] } },
    additionalProperties: true,
    oneOf: Object.keys(COMPONENT_KINDS).map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: {
      propertyName: "tag",
      mapping: Object.fromEntries(
        Object.entries(COMPONENT_KINDS).flatMap(([name, { tags }]) =>
          tags.map((tag) => [tag, `#/components/schemas/${name}`] as const),
        ),
      ),
    },
  },
  CardCaption: { type: "object", properties: { content: string("The text", "Build 1234 passed") } },
  CardOption: {
    type: "object",
    properties: { text: caption("What is shown", "Answer A"), value: string("What is reported", "a") },
  },
  ...Object.fromEntries(Object.entries(COMPONENT_KINDS).map(([name, kind]) => [name, modelOf(kind)])),
};

function modelOf({ tags, description, properties }: ComponentKind): Schema {
  return {
    type: "object",
    description,
    required: ["tag"],
    properties: { tag: { type: "string", enum: [...tags] }, ...properties },
    additionalProperties: true,
  };
}
