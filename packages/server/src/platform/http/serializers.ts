import fastJson, { type Schema } from "fast-json-stringify";

/** Serialises an answer as JSON text. */
type Serializer = (answer: unknown) => string;

/**
 * Compiles the schemas of answers, each schema once: many routes share schemas, and compiling all of them would take
 * most of the start. Bounded by the schemas in the routes' code.
 */
export class Serializers {
  readonly #compiled = new Map<string, Serializer>();

  /** Called by Fastify for each answer schema of each route. */
  compile(schema: Schema): Serializer {
    const key = JSON.stringify(schema);
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const serializer: Serializer = fastJson(schema);
    this.#compiled.set(key, serializer);
    return serializer;
  }
}
