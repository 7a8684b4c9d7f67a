import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { describe, test } from "node:test";
import {
  CLIENT_ENDPOINTS,
  CONSOLE_ENDPOINTS,
  DESK_ENDPOINTS,
  type Endpoint,
  OPEN_ENDPOINTS,
  OPERATOR_ENDPOINTS,
  SIGN_IN_PAGES,
  STREAM_PATHS,
  WIDGET_ENDPOINTS,
} from "@portico/protocol/endpoints";
import type { FastifyInstance } from "fastify";
import { acme } from "./support/acme.ts";
import { sqlite } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

/** Each API, the list of its endpoints, and the path prefixes under which it has no other routes. */
const APIS: [string, Readonly<Record<string, Endpoint>>[], string[]][] = [
  ["the open API", [OPEN_ENDPOINTS], ["/api/open/v1/", "/api/open/v2/"]],
  ["the members' API", [CLIENT_ENDPOINTS], ["/api/client/"]],
  ["the desk's API", [DESK_ENDPOINTS], ["/api/desk/"]],
  ["the widget's API", [WIDGET_ENDPOINTS], ["/api/widget/"]],
  ["the console's and the operators' API", [CONSOLE_ENDPOINTS, OPERATOR_ENDPOINTS], ["/api/open/console/"]],
];

/** Routes that are no endpoints. */
const OTHERS: ReadonlySet<string> = new Set(
  [...Object.values(STREAM_PATHS), ...Object.values(SIGN_IN_PAGES).flatMap((paths) => Object.values(paths))].map(
    (path) => `GET ${path}`,
  ),
);

const registered: string[] = [];
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat()) registered.push(`${each} ${url}`);
  });
});

describe("the list of endpoints", () => {
  suiteWorld(sqlite, acme());

  for (const [api, endpoints, prefixes] of APIS) {
    test(`of ${api} contains exactly the registered routes`, () => {
      const routes = registered.filter(
        (route) =>
          prefixes.some((prefix) => route.includes(` ${prefix}`)) &&
          !OTHERS.has(route) &&
          !route.startsWith("OPTIONS "),
      );
      const listed = endpoints.flatMap(Object.values<Endpoint>).map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual(new Set(routes), new Set(listed));
    });
  }
});
