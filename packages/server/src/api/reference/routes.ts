import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { type Encoding, type StaticFile, sendStaticFile } from "../common/send-static-file.ts";
import { describeApi, describeCustomerService } from "./api-document.ts";
import type { ApiDocument } from "./openapi.ts";

/** Where the descriptions are, for tools; the reference page of the docs shows the first. */
const DESCRIPTIONS = {
  "/docs/json": describeApi,
  "/docs/customer-service/json": describeCustomerService,
};

/** The API's descriptions in OpenAPI. Each is made when it is first asked for, and kept. */
export function referenceRoutes() {
  return async (server: FastifyInstance) => {
    for (const [url, describe] of Object.entries(DESCRIPTIONS)) {
      let file: Promise<StaticFile> | undefined;
      server.route({
        method: ["GET", "HEAD"],
        url,
        handler: async (request, reply) => {
          file ??= fileOf(describe());
          return sendStaticFile(request, reply, await file, "no-cache");
        },
      });
    }
  };
}

async function fileOf(document: ApiDocument): Promise<StaticFile> {
  const text = Buffer.from(JSON.stringify(document));
  return {
    type: "application/json; charset=utf-8",
    hash: createHash("sha256").update(text).digest("base64url"),
    bodies: new Map<Encoding, Buffer>([
      ["gzip", await promisify(gzip)(text)],
      ["identity", text],
    ]),
  };
}
