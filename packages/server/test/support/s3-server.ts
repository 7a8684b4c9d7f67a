import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rename, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/**
 * A small object store that implements put, get and delete of S3 strictly: it computes every signature itself (AWS
 * Signature Version 4) and, like many stores, supports neither chunked signing nor trailers.
 */
export interface S3Server {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Failures for the next PUTs, one each: answered with 503, or cut off in the middle. */
  faults: ("busy" | "cut")[];
  /** The number of PUTs so far. */
  puts(): number;
  /** The number of open connections. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

const BUCKET = "portico";
const REGION = "eu-test-1";
const ACCESS_KEY_ID = "AKIATEST";
const SECRET_ACCESS_KEY = "s3cr3t+Access/Key";
const TOLERANCE_MS = 15 * 60_000;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Starts a store on a free port of the loopback interface. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "portico-s3-"));
  const faults: S3Server["faults"] = [];
  let puts = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    verifySignature(request);
    if (request.method === "HEAD") {
      response.writeHead(request.url?.split(/[/?]/)[1] === BUCKET ? 200 : 404).end();
      return;
    }
    const file = join(directory, keyOf(request));
    if (request.headers.expect !== undefined) response.writeContinue();
    if (request.method === "PUT") {
      puts++;
      await put(request, response, file, faults.shift());
    } else if (request.method === "GET") {
      await get(request, response, file);
    } else if (request.method === "DELETE") {
      await rm(file, { force: true });
      response.writeHead(204).end();
    } else {
      throw new Refusal(405, "MethodNotAllowed");
    }
  }

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.on("error", () => {});
    answer(request, response).catch((error: unknown) => refuse(response, error));
  };
  const server = createServer(handle).on("checkContinue", handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    region: REGION,
    accessKeyId: ACCESS_KEY_ID,
    secretAccessKey: SECRET_ACCESS_KEY,
    faults,
    puts: () => puts,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, code, message } =
    error instanceof Refusal ? error : new Refusal(500, "InternalError", error instanceof Error ? error.stack : "");
  response.writeHead(status, { "content-type": "application/xml", connection: "close" });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  );
}

function keyOf(request: IncomingMessage): string {
  const [path = ""] = (request.url ?? "").split("?");
  const [, bucket, key = "", ...more] = path.split("/");
  if (bucket !== BUCKET) throw new Refusal(404, "NoSuchBucket");
  if (!/^\w+$/.test(key) || more.length > 0) throw new Refusal(400, "InvalidRequest");
  return key;
}

async function put(
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
  fault: S3Server["faults"][number] | undefined,
): Promise<void> {
  if (fault === "busy") throw new Refusal(503, "SlowDown");
  if (fault === "cut") request.once("data", () => request.socket.destroy());
  if (request.headers["content-length"] === undefined) throw new Refusal(411, "MissingContentLength");
  const encoded = request.headers["content-encoding"] ?? request.headers["x-amz-trailer"];
  if (encoded !== undefined) throw new Refusal(501, "NotImplemented");
  const hash = createHash("sha256");
  request.on("data", (chunk: Buffer) => hash.update(chunk));
  const temporary = `${file}.${randomUUID()}`;
  await pipeline(request, createWriteStream(temporary));
  const announced = request.headers["x-amz-content-sha256"];
  if (announced !== "UNSIGNED-PAYLOAD" && announced !== hash.digest("hex")) {
    throw new Refusal(400, "XAmzContentSHA256Mismatch");
  }
  await rename(temporary, file);
  response.writeHead(200, { etag: '"0"' }).end();
}

async function get(request: IncomingMessage, response: ServerResponse, file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new Refusal(404, "NoSuchKey");
  const { range } = request.headers;
  if (range === undefined) {
    response.writeHead(200, { "content-length": found.size });
    await pipeline(createReadStream(file), response);
    return;
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const start = Number(first);
  const end = Math.min(Number(last), found.size - 1);
  if (!(start <= end)) throw new Refusal(416, "InvalidRange");
  const headers = { "content-length": end - start + 1, "content-range": `bytes ${start}-${end}/${found.size}` };
  response.writeHead(206, headers);
  await pipeline(createReadStream(file, { start, end }), response);
}

/**
 * Checks the Authorization header as described in the documentation of AWS Signature Version 4.
 *
 * @throws Refusal with the real store's answer.
 */
function verifySignature(request: IncomingMessage): void {
  const { authorization = "", "x-amz-date": date, "x-amz-content-sha256": payload } = request.headers;
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (match === null || typeof date !== "string" || typeof payload !== "string") throw new Refusal(403, "AccessDenied");
  const [, accessKeyId, scope = "", signedHeaders = "", signature = ""] = match;
  if (accessKeyId !== ACCESS_KEY_ID) throw new Refusal(403, "InvalidAccessKeyId");
  if (!/^(UNSIGNED-PAYLOAD|[0-9a-f]{64})$/.test(payload)) throw new Refusal(501, "NotImplemented");
  if (scope !== `${date.slice(0, 8)}/${REGION}/s3/aws4_request`) throw new Refusal(400, "AuthorizationHeaderMalformed");
  const at = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!(Math.abs(Date.now() - at) <= TOLERANCE_MS)) throw new Refusal(403, "RequestTimeTooSkewed");

  const names = signedHeaders.split(";");
  const mustBeSigned = Object.keys(request.headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (!mustBeSigned.every((name) => names.includes(name))) throw new Refusal(403, "AccessDenied", "unsigned headers");
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const canonical = [
    request.method,
    path,
    query.split("&").sort().join("&"),
    ...names.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  let key = Buffer.from(`AWS4${SECRET_ACCESS_KEY}`);
  for (const part of scope.split("/")) key = createHmac("sha256", key).update(part).digest();
  const expected = createHmac("sha256", key).update(toSign).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) throw new Refusal(403, "SignatureDoesNotMatch");
}
