import { randomUUID } from "node:crypto";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { signRequest } from "@portico/protocol/signature";
import { assertListedError } from "./listed-errors.ts";

/** An application's credentials for the open API. */
export interface Credentials {
  appId: string;
  credentialId: string;
  appSecret: string;
}

/** A complete answer. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any;
}

/** A request. A header with the value null is left out; `chunked` sends the body without announcing its length. */
export interface Sending {
  method?: string;
  headers?: Record<string, string | null>;
  body?: string | Buffer;
  chunked?: boolean;
}

const kept = new Agent({ keepAlive: true });
const keptOrigins = new Set<string>();

/**
 * Keeps the connections to a service in this process until the function is called that it returns: to connect anew takes the
 * client and the service longer than most requests do. Other services may be killed, or be behind a balancer that chooses one for
 * each connection.
 */
export function keepConnections(url: string): () => void {
  const { origin } = new URL(url);
  keptOrigins.add(origin);
  return () => void keptOrigins.delete(origin);
}

/** Sends one request unchanged and reads the answer. Rejects when the endpoint does not list the answer's error. */
export function send(url: string, { method = "GET", headers = {}, body, chunked }: Sending = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
    const length = body === undefined || chunked ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const all = { ...length, ...Object.fromEntries(given) };
    const agent = keptOrigins.has(new URL(url).origin) ? kept : false;
    const outgoing = httpRequest(url, { method, headers: all, agent });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString("utf8");
        const { statusCode: status = 0, headers } = response;
        const answer = { status, headers, bytes, text, json: parse(text) };
        try {
          assertListedError(method, url, answer);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
    });
    if (chunked) outgoing.write(body);
    outgoing.end(chunked ? undefined : body);
  });
}

/** A signed call, with deviations from the ordinary one. */
export interface SignedSending extends Sending {
  /** Path and query, as sent and signed. */
  target: string;
  timestamp: number;
  nonce?: string;
  /** Signed instead of the body that is sent. */
  signedBody?: string | Buffer;
}

/** Signs and sends a call of the open API. A body is sent as JSON unless `headers` name another type. */
export function sendSigned(baseUrl: string, credentials: Credentials, sending: SignedSending): Promise<Answer> {
  const { target, timestamp, nonce = randomUUID(), method = "GET", body = "", signedBody = body } = sending;
  const [path = "", rawQuery = ""] = target.split("?", 2);
  const signed = signRequest({ ...credentials, method, path, rawQuery, timestamp, nonce, body: signedBody });
  const type: Record<string, string> = body === "" ? {} : { "content-type": "application/json" };
  return send(baseUrl + target, {
    ...sending,
    body: body === "" ? undefined : body,
    headers: { ...signed.headers, ...type, ...sending.headers },
  });
}

/** Writes bytes to the port of `url` and returns the answer until the other side closes. */
export function sendRaw(url: string, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.write(bytes);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
