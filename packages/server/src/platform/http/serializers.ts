import fastJson, { type Schema } from "fast-json-stringify";

/** Serialises an answer as JSON text. */
type Serializer = (answer: unknown) => string;

/**
 * Compiles the schemas of answers, each schema once, when its first answer goes out: many routes share schemas, and compiling
 * those of all routes would take a seventh of the start. Bounded by the schemas in the routes' code.
 */
export class Serializers {
  readonly #serializers = new Map<string, Serializer>();

  /** Called by Fastify for each answer schema of each route. */
  compile(schema: Schema): Serializer {
    const key = JSON.stringify(schema);
    const known = this.#serializers.get(key);
    if (known !== undefined) return known;
    let compiled: Serializer | undefined;
    const serializer: Serializer = (answer) => {
      compiled ??= fastJson(schema);
      return compiled(answer);
    };
    this.#serializers.set(key, serializer);
    return serializer;
  }
}
