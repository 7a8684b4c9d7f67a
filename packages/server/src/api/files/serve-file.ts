import { Readable } from "node:stream";
import { create as contentDisposition } from "content-disposition";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { FILES_PATH } from "../../domain/files/file-address.ts";
import { findServedFile } from "../../domain/files/file-store.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { sendContainerNotFound } from "../../platform/http/answer.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import type { RouteParts } from "../common/parts.ts";
import { Downloads } from "./downloads.ts";
import { parseRange } from "./parse-range.ts";

/** What serving files needs. */
interface FilesParts extends RouteParts {
  blobs: Blobs;
}

/** Images that a browser displays without executing them; all other files are sent as downloads. */
const RASTER_IMAGES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/bmp",
]);

/** Prevents a hostile file from running as a page of this origin. */
const SAFETY_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
};

/**
 * `GET /files/{blobKey}`: a file's content, for anybody who knows its unguessable URL, so that an `img` element needs
 * no credentials. Content never changes, so it may be cached for ever.
 */
export function fileRoutes(ctx: FilesParts) {
  const downloads = new Downloads();
  return async (server: FastifyInstance) => {
    server.route({
      method: ["GET", "HEAD"],
      url: `${FILES_PATH}:blobKey`,
      handler: (request, reply) => serveFile(ctx, downloads, request, reply),
    });
  };
}

async function serveFile(
  ctx: FilesParts,
  downloads: Downloads,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { blobKey } = request.params as { blobKey: string };
  // Applies until there is content to send.
  reply.header("cache-control", "no-store");
  const file = /^[0-9a-f]{48}$/.test(blobKey) ? await findServedFile(ctx.storage.db, blobKey) : null;
  if (file === null) return sendContainerNotFound(request, reply, ctx.clock.now());
  const { fileName, mimeType, size, sha256 } = file;
  const etag = `"${sha256}"`;
  const type = RASTER_IMAGES.has(mimeType) ? "inline" : "attachment";
  const lasting = {
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": contentDisposition(fileName, { type }),
    "content-type": mimeType,
    etag,
  };
  reply.headers(SAFETY_HEADERS);
  request.trace.code = "file";
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).headers(lasting).send();

  const ifRange = request.headers["if-range"];
  const asked = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = parseRange(asked, size);
  if (range === "unsatisfiable") return reply.code(416).header("content-range", `bytes */${size}`).send();
  const isEmpty = request.method === "HEAD" || size === 0;
  const content = isEmpty
    ? Readable.from([])
    : await downloads.begin(reply.raw, addressBlock(request.clientAddress), () =>
        ctx.blobs.get(blobKey, range ?? undefined),
      );
  if (content === null) throw new Error(`the blob of a file is missing: ${blobKey.slice(0, 8)}…`);
  reply.headers(lasting).header("content-length", range === null ? size : range.end - range.start + 1);
  if (range !== null) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${size}`);
  return reply.send(content);
}
