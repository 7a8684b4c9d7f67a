import { pathToFileURL } from "node:url";
import type { Plugin } from "rolldown";

/** The lists of endpoints; each exports one. */
const LISTS = /\/packages\/protocol\/src\/endpoints\/(open|console|operator|client|desk|widget|start)\/index\.ts$/;

/** What only the reference and the service use. */
const NOT_FOR_CLIENTS = new Set(["description", "summary", "errors", "access", "body", "query"]);

/**
 * Writes the lists of endpoints as plain data. A client checks answers by the JSON Schema in them and builds none, so
 * that it does not need the library that does.
 */
export function plainEndpoints(): Plugin {
  return {
    name: "plain-endpoints",
    load: {
      filter: { id: LISTS },
      async handler(id) {
        const lists: Record<string, unknown> = await import(pathToFileURL(id).href);
        return Object.entries(lists)
          .map(
            ([name, list]) =>
              `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(list, forClients))});`,
          )
          .join("\n");
      },
    },
  };
}

/** Leaves out members of endpoints and words of schemas; not the properties that have such a name. */
function forClients(this: unknown, name: string, value: unknown): unknown {
  const isEndpointOrSchema =
    typeof this === "object" && this !== null && ("method" in this || "type" in this || "anyOf" in this);
  const isWord = typeof value === "string" || (this !== null && typeof this === "object" && "method" in this);
  return isEndpointOrSchema && isWord && NOT_FOR_CLIENTS.has(name) ? undefined : value;
}
