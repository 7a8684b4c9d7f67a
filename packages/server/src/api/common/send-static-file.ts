import { gunzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/** How a file may be sent, best first. */
export type Encoding = "br" | "gzip" | "identity";

/** A file in memory, in the forms in which it may be sent; the plain one may be missing where there is one in gzip. */
export interface StaticFile {
  type: string;
  /** Another one for another content; an entity tag names the encoding as well. */
  hash: string;
  bodies: ReadonlyMap<Encoding, Buffer>;
}

/** The plain forms of files that are kept compressed only, of those that somebody has asked for. */
const unpacked = new WeakMap<StaticFile, Buffer>();

/** The plain form of a file: kept as it is, or unpacked when it is first asked for. */
export function plainBody(file: StaticFile): Buffer | undefined {
  const kept = file.bodies.get("identity") ?? unpacked.get(file);
  const gzip = file.bodies.get("gzip");
  if (kept !== undefined || gzip === undefined) return kept;
  const plain = gunzipSync(gzip);
  unpacked.set(file, plain);
  return plain;
}

/** Answers with a file, in the best form that the client takes and that there is; or with 304 if the client has it. */
export function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  cacheControl: string,
): FastifyReply {
  request.trace.code = "page";
  const encoding = chooseEncoding(request, file);
  const etag = `"${file.hash}${encoding === "identity" ? "" : `-${encoding}`}"`;
  reply.headers({ "cache-control": cacheControl, etag, vary: "Accept-Encoding" });
  if (hasTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.header("content-type", file.type).send(file.bodies.get(encoding) ?? plainBody(file));
}

/**
 * The smallest of the forms that the client takes, however it ranks them. One that takes none gets the plain one all the
 * same (RFC 9110, section 12.5.3).
 */
function chooseEncoding(request: FastifyRequest, { bodies }: StaticFile): Encoding {
  const available = [...new Set([...bodies.keys(), "identity" as const])];
  const taken = new Negotiator(request.raw).encodings(available);
  return available.find((encoding) => taken.includes(encoding)) ?? "identity";
}

/** Tags are compared weakly here (RFC 9110, section 13.1.2): a proxy may have weakened ours. */
function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()));
}
