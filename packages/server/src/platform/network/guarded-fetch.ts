import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { AddressGuard, AddressRefused, parseHttpsUrl } from "./address-guard.ts";
import { Cancellation } from "./cancellation.ts";
import { ConnectionFailure, wordsOf } from "./connection-failure.ts";
import { dial, endpointOf } from "./dial.ts";
import type { Lookup } from "./lookups.ts";

/** A server that could not be reached, or whose answer is none. The message is for the operator's log. */
export class Unreached extends Error {
  override readonly name = "Unreached";
}

/** A server that says more than is read. */
export class AnswerTooLong extends Unreached {}

/** A request, in the terms of `fetch`. */
export interface GuardedRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface GuardedFetchOptions {
  /** Networks in CIDR notation that may be called beside the public Internet. */
  allowNetworks: readonly string[];
  /** Default: the system's resolver. */
  lookup?: Lookup | undefined;
  /** Trusted CA certificates (PEM), in place of the default ones. */
  ca?: string | string[] | undefined;
  /** From the connection to the last byte. */
  readMs?: number;
}

const CONNECT_MS = 3_000;
const READ_MS = 5_000;
/** More than the metadata and the keys of any provider. */
const MAX_ANSWER_BYTES = 512 * 1_024;
const MAX_HEADER_BYTES = 32 * 1_024;
/** The most requests at a time. */
const MAX_AT_ONCE = 64;
/** Statuses whose answer has no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` for servers that the operator has named: https only, and only addresses that the guard has checked. It follows no
 * redirects, takes answers of a bounded length, and ends in a bounded time.
 */
export class GuardedFetch {
  readonly #guard: AddressGuard;
  readonly #secureContext: SecureContext;
  readonly #readMs: number;
  #atOnce = 0;

  constructor({ allowNetworks, lookup, ca, readMs = READ_MS }: GuardedFetchOptions) {
    this.#guard = new AddressGuard({ allowNetworks, lookupTimeoutMs: CONNECT_MS, ...(lookup && { lookup }) });
    this.#secureContext = createSecureContext({ ca });
    this.#readMs = readMs;
  }

  /** @throws Unreached also for an answer of 500 or more: the server works no better than one that is not there. */
  async fetch(address: string, asked: GuardedRequest): Promise<Response> {
    if (this.#atOnce >= MAX_AT_ONCE) throw new Unreached("too many requests are under way");
    this.#atOnce++;
    try {
      const url = parseHttpsUrl(address);
      const answer = await exchange(url, await this.#connect(url), asked, this.#readMs);
      if (answer.status >= 500) throw new Unreached(`${url.host} answered with ${answer.status}`);
      return answer;
    } catch (error) {
      if (error instanceof AddressRefused) throw new Unreached(error.reason, { cause: error });
      if (error instanceof ConnectionFailure) throw new Unreached(error.message, { cause: error });
      throw error;
    } finally {
      this.#atOnce--;
    }
  }

  async #connect(url: URL): Promise<Socket> {
    const options = { guard: this.#guard, secureContext: this.#secureContext, timeoutMs: CONNECT_MS };
    const record = { address: null, dnsMs: null, connectMs: null, tlsMs: null };
    return await dial(endpointOf(url), options, record, new Cancellation());
  }
}

/** Asks on a connection, which is closed in any case. */
async function exchange(url: URL, socket: Socket, asked: GuardedRequest, readMs: number): Promise<Response> {
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, readMs);
  try {
    if (socket.destroyed) throw new Unreached(`${url.host} has ended the connection`);
    const answer = await answerTo(url, socket, asked);
    return await responseOf(answer);
  } catch (cause) {
    if (cause instanceof Unreached) throw cause;
    const why = isLate ? `did not answer within ${readMs} ms` : `failed: ${wordsOf(cause)}`;
    throw new Unreached(`${url.host} ${why}`, { cause });
  } finally {
    clearTimeout(deadline);
    socket.destroy();
  }
}

function answerTo(url: URL, socket: Socket, { method, headers, body }: GuardedRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined || body === null ? null : Buffer.from(String(body));
    const all = {
      ...headers,
      host: url.host,
      connection: "close",
      "accept-encoding": "identity",
      ...(bytes && { "content-length": String(bytes.length) }),
    };
    const path = url.pathname + url.search;
    request({ createConnection: () => socket, method, path, headers: all, maxHeaderSize: MAX_HEADER_BYTES })
      .on("response", resolve)
      .on("error", reject)
      .end(bytes ?? undefined);
  });
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, headers } = answer;
  if (status < 200 || status > 599) throw new Unreached(`an answer with the status ${status}`);
  if ((headers["content-encoding"] ?? "identity") !== "identity") throw new Unreached("a compressed answer");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new AnswerTooLong(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  const init = { status, headers: headersOf(answer) };
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks, length), init);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}
