import { type FileHandle, open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { GetObjectCommandInput, PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";
import { type Blobs, type ByteRange, checkKey, checkRange, checkSize } from "./blobs.ts";

/** An S3-compatible object store. */
export interface S3Options {
  /** Null for Amazon S3 itself. */
  endpoint: string | null;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * The time without any byte sent or received after which a connection is closed. This includes a reader that pauses its
 * stream.
 */
const IDLE_TIMEOUT_MS = 60_000;
/** The time limit from sending a request without a body to the head of its answer, including the wait for a socket. */
const ANSWER_TIMEOUT_MS = 15_000;
const MAX_READING_SOCKETS = 500;
/** For everything except reads, so that slow readers do not block it. */
const MAX_OTHER_SOCKETS = 100;
/** The delays between attempts to store a blob. */
const RETRY_DELAYS_MS = [100, 500];
/** Errors that a retry can overcome although their status is 4xx. */
const PASSING_REFUSALS = new Set(["RequestTimeout", "RequestTimeTooSkewed"]);
const LOST_CONNECTION = new Set<unknown>(["ECONNRESET", "EPIPE"]);

const ignore = () => {};
/** Disables the client's warnings on the console; it throws them as errors as well. */
const SILENCE = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Stores blobs as objects of one existing bucket. */
export async function openS3Blobs(options: S3Options): Promise<Blobs> {
  // Loaded only here, because it uses much memory that other stores do not need.
  const sdk = await import("@aws-sdk/client-s3");
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options;
  const newClient = (maxSockets: number) =>
    new sdk.S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      ...(endpoint === null ? { ignoreConfiguredEndpointUrls: true } : { endpoint, forcePathStyle: true }),
      // By default, uploads have checksums in trailers, which many S3-compatible stores do not support.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: IDLE_TIMEOUT_MS,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets },
        httpsAgent: { maxSockets },
      },
      logger: SILENCE,
    });
  return new S3Blobs(sdk, newClient(MAX_OTHER_SOCKETS), newClient(MAX_READING_SOCKETS), bucket);
}

type Sdk = typeof import("@aws-sdk/client-s3");

class S3Blobs implements Blobs {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  /** A separate client for reads, because a slow reader occupies its connection for long. */
  readonly #readingClient: S3Client;
  readonly #bucket: string;

  constructor(sdk: Sdk, client: S3Client, readingClient: S3Client, bucket: string) {
    this.#sdk = sdk;
    this.#client = client;
    this.#readingClient = readingClient;
    this.#bucket = bucket;
  }

  /** Retried here, because the client cannot send a partly sent stream again. */
  async put(key: string, path: string, size: number): Promise<void> {
    checkKey(key);
    const input = { Bucket: this.#bucket, Key: key, ContentLength: size };
    for (let attempt = 0; ; attempt++) {
      const file = await open(path);
      try {
        checkSize((await file.stat()).size, size);
        const error = await this.#tryToPut(input, file);
        if (error === null) break;
        const delayMs = RETRY_DELAYS_MS[attempt];
        if (delayMs === undefined || !mayPass(error)) throw failure("put a blob", error);
        await setTimeout(delayMs);
      } finally {
        await file.close();
      }
    }
    await rm(path, { force: true });
  }

  /** Does nothing: the file is sent to the store, so it need not be durable here. */
  async settle(): Promise<void> {}

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    checkKey(key);
    const input: GetObjectCommandInput = { Bucket: this.#bucket, Key: key };
    if (range !== undefined) {
      checkRange(range);
      input.Range = `bytes=${range.start}-${range.end}`;
    }
    const command = new this.#sdk.GetObjectCommand(input);
    const options = { requestTimeout: ANSWER_TIMEOUT_MS };
    const output = await this.#readingClient.send(command, options).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw failure("get a blob", error);
    });
    if (output === null) return null;
    if (!(output.Body instanceof Readable)) throw new Error("the object store answered without a body");
    if (range === undefined || output.$metadata.httpStatusCode === 206) return output.Body;
    output.Body.destroy();
    throw new Error("the object store does not answer with ranges");
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    const command = new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key: key });
    await this.#client.send(command, { requestTimeout: ANSWER_TIMEOUT_MS }).catch((error: unknown) => {
      if (!isMissing(error)) throw failure("delete a blob", error);
    });
  }

  async ping(): Promise<void> {
    const command = new this.#sdk.HeadBucketCommand({ Bucket: this.#bucket });
    await this.#client.send(command, { requestTimeout: ANSWER_TIMEOUT_MS }).catch((error: unknown) => {
      throw failure("open its bucket", error);
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
    this.#readingClient.destroy();
  }

  /** Sends `file` once. Returns the error, if any. */
  async #tryToPut(input: PutObjectCommandInput, file: FileHandle): Promise<unknown> {
    const abortion = new AbortController();
    const body = file.createReadStream();
    // The client only pipes the file, and would wait forever after a read error.
    body.on("error", (error) => abortion.abort(error));
    try {
      const command = new this.#sdk.PutObjectCommand({ ...input, Body: body });
      await this.#client.send(command, { abortSignal: abortion.signal });
      return null;
    } catch (error) {
      // A request that was answered before it was sent completely would occupy its socket.
      abortion.abort();
      return body.errored ?? error;
    } finally {
      body.destroy();
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === "NoSuchKey";
}

/** Whether a retry may soon succeed: the store was unreachable, closed the connection, was overloaded or failed. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The client also calls a lost connection a timeout. After a real one, the uploader has waited long enough.
  if (error.name === "TimeoutError") return "code" in error && LOST_CONNECTION.has(error.code);
  const status = statusOf(error);
  return status === undefined || status >= 500 || status === 429 || PASSING_REFUSALS.has(error.name);
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const metadata = error.$metadata;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return undefined;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined;
}

function failure(what: string, cause: unknown): Error {
  const status = statusOf(cause);
  const name = cause instanceof Error ? cause.name : "unknown error";
  return new Error(`the object store did not ${what}: ${name}${status === undefined ? "" : ` (HTTP ${status})`}`, {
    cause,
  });
}
