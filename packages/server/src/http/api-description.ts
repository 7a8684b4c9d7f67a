import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fastifyPlugin from "fastify-plugin";

/** Serves the OpenAPI description, generated from the routes' schemas, with a reference page at /docs. */
export const apiDescription = fastifyPlugin(async (server) => {
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Portico",
        version: "2.0.0",
        description:
          "Calls under /api/open carry the X-Open-App-Id, X-Open-Credential-Id, X-Open-Timestamp, X-Open-Nonce and " +
          "X-Open-Signature headers; calls under /api/client carry a Bearer token.",
      },
    },
  });
  await server.register(swaggerUi, { routePrefix: "/docs" });
});
