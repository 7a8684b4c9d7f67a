import fastJson, { type Schema } from "fast-json-stringify";

/** Turns an answer into JSON text. */
type Serializer = (answer: unknown) => string;

/**
 * Compiles the schemas of answers, each schema once: many routes answer in the same shapes, and compiling them all would take
 * longer than anything else of a start. It grows by the schemas there are, which the routes' code lists.
 */
export class Serializers {
  readonly #compiled = new Map<string, Serializer>();

  /** What Fastify calls for each answer of each route. */
  compile(schema: Schema): Serializer {
    const key = JSON.stringify(schema);
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const serializer: Serializer = fastJson(schema);
    this.#compiled.set(key, serializer);
    return serializer;
  }
}
