import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Config } from "../../platform/config/config.ts";
import { AddressGuard, AddressRefused, parseHttpsUrl } from "../../platform/network/address-guard.ts";
import { Cancellation } from "../../platform/network/cancellation.ts";
import { ConnectionFailure, wordsOf } from "../../platform/network/connection-failure.ts";
import { dial, endpointOf } from "../../platform/network/dial.ts";
import type { Network } from "../webhooks/webhooks.ts";

const CONNECT_MS = 3_000;
/** From the connection to the last byte. */
export const READ_MS = 8_000;
export const MAX_PICTURE_BYTES = 4 * 1_024 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;
/** Pictures that a browser shows without running anything: no SVG. */
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** A picture as its host sent it. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

/**
 * A picture that is not shown: its address, its host or its content is at fault. The message is for the log only: it may
 * contain addresses of the operator's own network.
 */
export class PictureRefused extends Error {
  override readonly name = "PictureRefused";
}

/**
 * Fetches pictures from the Internet, under the rules for callbacks: https, and only addresses that the guard has checked. Its
 * networks are its own, because anybody who may write a message chooses the address; so are its lookups, so that members
 * who look at cards cannot delay deliveries.
 */
export class PictureFetcher {
  readonly #guard: AddressGuard;
  readonly #secureContext: SecureContext;
  readonly #readMs: number;

  /** @param readMs the time from the connection to the last byte. */
  constructor({ web }: { web: Pick<Config["web"], "imageNetworks"> }, { lookup, ca }: Network, readMs = READ_MS) {
    const { imageNetworks: allowNetworks } = web;
    this.#guard = new AddressGuard({ allowNetworks, lookupTimeoutMs: CONNECT_MS, ...(lookup && { lookup }) });
    this.#secureContext = createSecureContext({ ca });
    this.#readMs = readMs;
  }

  /**
   * @param signal ends the fetching, in whatever stage.
   * @throws PictureRefused when there is no picture at `address` that may be shown.
   */
  async fetch(address: string, signal: AbortSignal): Promise<Picture> {
    const cancellation = new Cancellation();
    const cancel = () => cancellation.cancel();
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    try {
      const url = parseHttpsUrl(address);
      return await read(url, await this.#connect(url, cancellation), this.#readMs, cancellation);
    } catch (error) {
      if (error instanceof AddressRefused) throw new PictureRefused(error.reason, { cause: error });
      if (error instanceof ConnectionFailure) throw new PictureRefused(error.message, { cause: error });
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  async #connect(url: URL, cancellation: Cancellation): Promise<Socket> {
    const options = { guard: this.#guard, secureContext: this.#secureContext, timeoutMs: CONNECT_MS };
    const record = { address: null, dnsMs: null, connectMs: null, tlsMs: null };
    return await dial(endpointOf(url), options, record, cancellation);
  }
}

/** Asks for a picture on a connection, which is closed in any case. Redirects are not followed. */
async function read(url: URL, socket: Socket, readMs: number, cancellation: Cancellation): Promise<Picture> {
  // A request on a socket that has closed already would never hear of it.
  if (cancellation.cancelled || socket.destroyed) {
    socket.destroy();
    throw new PictureRefused("the connection has ended");
  }
  let ended: string | null = null;
  const end = (why: string) => {
    ended = why;
    socket.destroy();
  };
  const deadline = setTimeout(end, readMs, `it was not complete within ${readMs} ms`);
  cancellation.during(() => end("nobody waits for it any more"));
  try {
    const response = await responseTo(url, socket);
    const type = typeOf(response);
    return { type, bytes: await bytesOf(response) };
  } catch (cause) {
    throw cause instanceof PictureRefused ? cause : new PictureRefused(ended ?? wordsOf(cause), { cause });
  } finally {
    cancellation.during(null);
    clearTimeout(deadline);
    socket.destroy();
  }
}

function responseTo(url: URL, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: url.host,
      accept: [...TYPES].join(", "),
      "accept-encoding": "identity",
      connection: "close",
    };
    const path = url.pathname + url.search;
    request({ createConnection: () => socket, path, headers, maxHeaderSize: MAX_HEADER_BYTES })
      .on("response", resolve)
      .on("error", reject)
      .end();
  });
}

function typeOf({ statusCode, headers }: IncomingMessage): string {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (statusCode !== 200) throw new PictureRefused(`answered with ${statusCode}`);
  if (!TYPES.has(type)) throw new PictureRefused("not a picture");
  if ((headers["content-encoding"] ?? "identity") !== "identity") throw new PictureRefused("compressed");
  if (Number(headers["content-length"] ?? 0) > MAX_PICTURE_BYTES) throw new PictureRefused("too large");
  return type;
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > MAX_PICTURE_BYTES) throw new PictureRefused("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
