import assert from "node:assert/strict";
import {
  CLIENT_ENDPOINTS,
  DESK_ENDPOINTS,
  type Endpoint,
  OPEN_ENDPOINTS,
  WIDGET_ENDPOINTS,
} from "@portico/protocol/endpoints";
import { acme } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

/** Each API, the list of its endpoints, and the path prefixes under which it has no other routes. */
const APIS: [string, Readonly<Record<string, Endpoint>>, string[]][] = [
  ["the open API", OPEN_ENDPOINTS, ["/api/open/v1/", "/api/open/v2/"]],
  ["the members' API", CLIENT_ENDPOINTS, ["/api/client/"]],
  ["the desk's API", DESK_ENDPOINTS, ["/api/desk/"]],
  ["the widget's API", WIDGET_ENDPOINTS, ["/api/widget/"]],
];

/** The part of an OpenAPI operation that the tests check. */
interface Operation {
  summary?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { content: Record<string, { schema: { properties: { value: unknown } } }> }>;
}

/** The names in a schema. Their definitions are not compared, because the description writes some differently. */
function namesIn(schema: unknown): unknown {
  const { type, required, properties } = schema as { type?: string; required?: string[]; properties?: object };
  return { type, required, properties: Object.keys(properties ?? {}) };
}

onBothEngines("the list of endpoints", (engine, test) => {
  const world = suiteWorld(engine, acme());

  const describedAt = async (prefixes: string[]): Promise<Map<string, Operation>> => {
    const described = new Map<string, Operation>();
    for (const page of ["/docs/json", "/docs/customer-service/json"]) {
      const { json } = await send(world().url + page);
      for (const [path, operations] of Object.entries<Record<string, Operation>>(json.paths)) {
        if (!prefixes.some((prefix) => path.startsWith(prefix))) continue;
        for (const [method, operation] of Object.entries(operations)) {
          described.set(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, operation);
        }
      }
    }
    return described;
  };

  for (const [api, endpoints, prefixes] of APIS) {
    test(`of ${api} contains exactly the registered routes`, async () => {
      const described = await describedAt(prefixes);
      const listed = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual([...described.keys()].sort(), listed.sort());
    });
    test(`of ${api} agrees with the API's description`, async () => {
      const described = await describedAt(prefixes);
      for (const { method, path, summary, query, body, takesFile, value } of Object.values(endpoints)) {
        const operation = described.get(`${method} ${path}`);
        assert.equal(operation?.summary, summary, path);
        const namesOf = (place: string) =>
          (operation?.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name);
        assert.deepEqual(namesOf("path").sort(), [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort(), path);
        assert.deepEqual(namesOf("query").sort(), Object.keys(query?.properties ?? {}).sort(), path);
        const types = Object.keys(operation?.requestBody?.content ?? {});
        const type = takesFile ? "multipart/form-data" : "application/json";
        assert.deepEqual(types, takesFile || body ? [type] : [], path);
        if (body) assert.deepEqual(namesIn(operation?.requestBody?.content[type]?.schema), namesIn(body), path);
        const answer = operation?.responses["200"]?.content["application/json"]?.schema;
        assert.deepEqual(namesIn(answer?.properties.value), namesIn(value), path);
      }
    });
  }
});
