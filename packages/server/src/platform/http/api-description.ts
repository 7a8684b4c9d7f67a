import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { OPEN_HEADERS } from "@portico/protocol/signature";
import type { FastifySchema } from "fastify";
import fastifyPlugin from "fastify-plugin";

const CUSTOMER_SERVICE_JSON = "/docs/customer-service/json";

declare module "fastify" {
  interface FastifyInstance {
    /** The description of the customer-service API, available once the server is ready. */
    customerServiceDescription(): object;
  }
}

/** The parts of the API whose calls are signed, by path (docs/contract/versioning.md). */
const SIGNED_PARTS = [
  { prefix: "/api/open/v1/", tag: "Customer service" },
  { prefix: "/api/open/v2/bot/", tag: "Bot" },
  { prefix: "/api/open/v2/miniapp/", tag: "Mini-program" },
];

/** The headers of a signed call, except the one with the appId. */
const SIGNATURE_HEADERS = {
  type: "object",
  required: [OPEN_HEADERS.credentialId, OPEN_HEADERS.timestamp, OPEN_HEADERS.nonce, OPEN_HEADERS.signature],
  properties: {
    [OPEN_HEADERS.credentialId]: { type: "string", description: "The credential whose secret signs the call" },
    [OPEN_HEADERS.timestamp]: { type: "string", description: "Milliseconds since the epoch" },
    [OPEN_HEADERS.nonce]: { type: "string", description: "Another one with each call" },
    [OPEN_HEADERS.signature]: {
      type: "string",
      description: "HMAC-SHA256 of the canonical string, keyed with the app secret, in lower-case hex",
    },
  },
};

const securitySchemes = {
  [OPEN_HEADERS.appId]: {
    type: "apiKey",
    in: "header",
    name: OPEN_HEADERS.appId,
    description: "The calling application; the call is signed with a credential of its own.",
  },
} as const;

/**
 * Serves two OpenAPI descriptions, generated from the routes' schemas, with a reference page at /docs: one of customer
 * service, which has its own version (docs/contract/versioning.md), and one of everything else.
 */
export const apiDescription = fastifyPlugin(async (server) => {
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Portico",
        version: "2.0.0",
        description:
          "Calls under /api/open/v2 carry the X-Open-App-Id, X-Open-Credential-Id, X-Open-Timestamp, X-Open-Nonce and " +
          "X-Open-Signature headers; calls under /api/client, /api/desk, /api/widget and /api/open/console carry a " +
          "Bearer token. " +
          `Customer service is described in ${CUSTOMER_SERVICE_JSON}.`,
      },
      components: { securitySchemes },
    },
    transform: describing((url) => !isCustomerService(url)),
  });
  await server.register(swagger, {
    decorator: "customerServiceDescription",
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Portico customer service",
        version: "1.0.0",
        description:
          "Every call carries the X-Open-App-Id, X-Open-Credential-Id, X-Open-Timestamp, X-Open-Nonce and " +
          'X-Open-Signature headers. Judge by `code == "000000"`: business failures are 4xx.',
      },
      components: { securitySchemes },
      security: [{ [OPEN_HEADERS.appId]: [] }],
    },
    transform: describing(isCustomerService),
  });
  server.get(CUSTOMER_SERVICE_JSON, { schema: { hide: true } }, () => server.customerServiceDescription());
  await server.register(swaggerUi, {
    routePrefix: "/docs",
    uiConfig: {
      urls: [
        { url: "/docs/json", name: "Bot and mini-program 2.0.0, console, members' client" },
        { url: CUSTOMER_SERVICE_JSON, name: "Customer service 1.0.0" },
      ],
    },
  });
});

/** Limits a description to the routes with `included` paths, and adds the signature to signed calls. */
function describing(included: (url: string) => boolean): FastifyDynamicSwaggerOptions["transform"] {
  return ({ schema, url }) => {
    if (!included(url)) return { schema: { hide: true }, url };
    const signed = SIGNED_PARTS.find(({ prefix }) => url.startsWith(prefix));
    if (signed === undefined) return { schema, url };
    const security = [{ [OPEN_HEADERS.appId]: [] }];
    return { schema: { ...schema, tags: [signed.tag], security, headers: SIGNATURE_HEADERS } as FastifySchema, url };
  };
}

function isCustomerService(url: string): boolean {
  return url.startsWith("/api/open/v1/");
}
