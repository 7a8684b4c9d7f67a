import * as SCHEMAS from "@portico/protocol/schemas";
import type { Schema } from "./openapi.ts";

/** The names of the contract's schemas: `SendMessageBodySchema` is `SendMessageBody`. */
const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(SCHEMAS).flatMap(([name, schema]) =>
    typeof schema === "object" && name.endsWith("Schema") ? [[schema, name.slice(0, -"Schema".length)]] : [],
  ),
);

/**
 * The models of a description. Schemas that the contract names become models, which others refer to, so that a client
 * generated from the description has one type for each of them.
 */
export class Models {
  readonly schemas: Record<string, Schema> = {};
  /** Replacements of schemas of the contract by more detailed ones. */
  readonly #detailed: ReadonlyMap<unknown, Schema>;

  constructor(detailed: ReadonlyMap<unknown, Schema> = new Map()) {
    this.#detailed = detailed;
  }

  /** The schema for a description: a reference when it has a name, with all that it refers to added to the models. */
  describe(schema: unknown): Schema {
    const name = NAMES.get(schema);
    return name === undefined ? this.#inline(this.#detailed.get(schema) ?? schema) : this.add(name, schema);
  }

  /** Adds a model. @returns the reference to it. */
  add(name: string, schema: unknown): Schema {
    if (!Object.hasOwn(this.schemas, name)) {
      // Reserved first: a model may refer to itself.
      this.schemas[name] = {};
      this.schemas[name] = this.#inline(this.#detailed.get(schema) ?? schema);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inline(schema: unknown): Schema {
    return Object.fromEntries(
      Object.entries(schema as Schema)
        // Patterns keep out characters that no text should have; tools would make up noise that fits them.
        .filter(([key]) => key !== "pattern")
        .map(([key, value]) => [key, this.#member(key, value)])
        .concat(typeOfEnum(schema as Schema)),
    );
  }

  #member(key: string, value: unknown): unknown {
    if (key === "properties" || key === "patternProperties") {
      return Object.fromEntries(Object.entries(value as Schema).map(([name, each]) => [name, this.describe(each)]));
    }
    if (key === "items" || key === "additionalProperties") return isSchema(value) ? this.describe(value) : value;
    if (key === "anyOf" || key === "oneOf" || key === "allOf") {
      return withoutRepeats((value as Schema[]).map((each) => this.describe(each)));
    }
    return value;
  }
}

/** Tools read the type of an enumeration only where it is given. */
function typeOfEnum({ type, enum: values }: Schema): [string, unknown][] {
  if (type !== undefined || !Array.isArray(values)) return [];
  const types = new Set(values.map((value) => (Number.isInteger(value) ? "integer" : typeof value)));
  return types.size === 1 ? [["type", [...types][0]]] : [];
}

/** Alternatives may differ in what the description leaves out. */
function withoutRepeats(schemas: Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null;
}
