import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apiResultSchema } from "@portico/protocol/schemas";
import Fastify from "fastify";
import Type from "typebox";
import { apiDescription } from "../src/platform/http/api-description.ts";
import { APPS, acme, MESSAGES } from "./support/acme.ts";
import { CLIENT } from "./support/client-acme.ts";
import { CONSOLE } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { SESSION } from "./support/miniapp.ts";
import { suiteWorld } from "./support/world.ts";

const CUSTOMER_SERVICE = "/docs/customer-service/json";
const OTHER_HEADERS = ["X-Open-Credential-Id", "X-Open-Timestamp", "X-Open-Nonce", "X-Open-Signature"];

/** The part of a description that the tests check. */
interface Operation {
  tags?: string[];
  security?: object[];
  parameters?: { name: string; in: string; required: boolean }[];
}

function headersOf({ parameters = [] }: Operation): string[] {
  return parameters.filter((parameter) => parameter.in === "header" && parameter.required).map(({ name }) => name);
}

function assertSigned(operation: Operation, tag: string): void {
  assert.deepEqual(operation.tags, [tag]);
  assert.deepEqual(operation.security, [{ "X-Open-App-Id": [] }]);
  assert.deepEqual(headersOf(operation), OTHER_HEADERS);
}

onBothEngines("the API's description", (engine, test) => {
  const world = suiteWorld(engine, acme());
  const read = async (path: string) => {
    const { status, json } = await send(world().url + path);
    assert.equal(status, 200);
    return json;
  };

  test("describes customer service separately, as version 1.0.0", async () => {
    const { info, paths, components, security } = await read(CUSTOMER_SERVICE);
    assert.equal(info.version, "1.0.0");
    const { description, ...scheme } = components.securitySchemes["X-Open-App-Id"];
    assert.deepEqual(scheme, { type: "apiKey", in: "header", name: "X-Open-App-Id" });
    assert.deepEqual(security, [{ "X-Open-App-Id": [] }]);
    const strangers = Object.keys(paths).filter((path) => !path.startsWith("/api/open/v1/"));
    assert.deepEqual(strangers, []);
  });
  test("describes everything else as version 2, including how bots and mini-programs sign calls", async () => {
    const { info, paths, components } = await read("/docs/json");
    assert.match(info.version, /^2\./);
    assert.equal(components.securitySchemes["X-Open-App-Id"].type, "apiKey");
    assertSigned(paths[SESSION].post, "Mini-program");
    assertSigned(paths[MESSAGES].post, "Bot");
    assertSigned(paths[APPS].get, "Bot");
    for (const path of [`${CLIENT}/miniapp/code`, `${CONSOLE}/me`]) {
      const operations: Operation[] = Object.values(paths[path]);
      for (const operation of operations) assert.deepEqual([operation.security, headersOf(operation)], [undefined, []]);
    }
    assert.deepEqual(
      Object.keys(paths).filter((path) => path.startsWith("/api/open/v1/") || path.startsWith("/docs")),
      [],
    );
  });
  test("shows the request and answer of a mini-program's server", async () => {
    const { requestBody, responses } = (await read("/docs/json")).paths[SESSION].post;
    assert.deepEqual(requestBody.content["application/json"].schema.required, ["code"]);
    const { value } = responses["200"].content["application/json"].schema.properties;
    assert.deepEqual(value.required, ["openId", "unionId", "sessionKey", "expiresAt"]);
  });
  test("shows the errorCode of every refusal of the console API", async () => {
    const { paths } = await read("/docs/json");
    for (const [path, operations] of Object.entries<Record<string, { responses: Record<string, unknown> }>>(paths)) {
      if (!path.startsWith(`${CONSOLE}/`)) continue;
      for (const { responses } of Object.values(operations)) {
        for (const status of ["4XX", "5XX"]) {
          assert.ok(
            JSON.stringify(responses[status]).includes(
              '"required":["timestamp","status","error","message","path","errorCode"]',
            ),
            path,
          );
        }
      }
    }
  });
  test("is shown by one page, with a choice of versions", async () => {
    const script = (await send(`${world().url}/docs/static/swagger-initializer.js`)).text;
    for (const path of ["/docs/json", CUSTOMER_SERVICE]) assert.ok(script.includes(`"${path}"`), path);
  });
});

describe("the description of a customer-service call", () => {
  test("is only in the customer-service part, with the signature headers next to its own parameters", async () => {
    const server = Fastify();
    await server.register(apiDescription);
    server.get(
      "/api/open/v1/agent/status",
      {
        schema: {
          summary: "Whether an agent is there",
          querystring: Type.Object({ agentId: Type.String() }),
          response: { 200: apiResultSchema(Type.Object({ exists: Type.Boolean() })) },
        },
      },
      () => null,
    );
    await server.ready();
    const [own, rest] = [await server.inject(CUSTOMER_SERVICE), await server.inject("/docs/json")];
    await server.close();
    const { get: operation } = own.json().paths["/api/open/v1/agent/status"];
    assertSigned(operation, "Customer service");
    assert.equal(operation.summary, "Whether an agent is there");
    assert.ok(operation.parameters.some((parameter: { name: string; in: string }) => parameter.name === "agentId"));
    assert.deepEqual(rest.json().paths, {});
  });
});
