import { createSecretKey, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { signRequest } from "@portico/protocol/signature";
import { contentJson, type MessageKind } from "./message-kinds.ts";

/** Who signs. */
export interface Credential {
  appId: string;
  credentialId: string;
  appSecret: string;
}

/** A sending application and its target group. */
export interface Sender extends Credential {
  groupId: string;
}

/** A call to sign. */
export interface UnsignedCall {
  method: "GET" | "POST";
  path: string;
  /** Without the question mark. */
  rawQuery: string;
  /** JSON; empty for none. */
  body: string;
}

/** A sender with a new secret. */
export function newSender(): Sender {
  const appSecret = randomBytes(32).toString("base64url");
  return { appId: "app_bench", credentialId: "cred_bench", appSecret, groupId: "g_bench" };
}

/** The path of sends. */
export const SEND_PATH = OPEN_ENDPOINTS.sendMessage.path;

/** Maximum memory of requests signed in advance. */
const BUFFER_BYTES_MAX = 256 * 2 ** 20;

/**
 * Signs calls before a phase, so that the load generator only has to write bytes. All have the same length and are
 * stored in one buffer, which the next call of {@link RequestSigner.sign} overwrites.
 */
export class RequestSigner {
  readonly #credential: Credential;
  readonly #callOf: (number: number, keyed: boolean) => UnsignedCall;
  readonly #bytesMax: number;
  readonly #key: KeyObject;
  #buffer = Buffer.alloc(0);
  #signed = 0;

  /** @param callOf the call with a number, counted from 0; `keyed` as in {@link RequestSigner.sign}. */
  constructor(
    credential: Credential,
    callOf: (number: number, keyed: boolean) => UnsignedCall,
    bytesMax = BUFFER_BYTES_MAX,
  ) {
    this.#credential = credential;
    this.#callOf = callOf;
    this.#bytesMax = bytesMax;
    this.#key = createSecretKey(Buffer.from(credential.appSecret, "utf8"));
  }

  /**
   * Signs `count` calls with the current time, or as many as fit, each with its own nonce, content and, if `keyed`,
   * idempotency key.
   */
  sign(count: number, keyed: boolean): SignedRequests {
    const length = Buffer.byteLength(this.#next(keyed));
    const needed = length * Math.min(count, Math.floor(this.#bytesMax / length));
    if (this.#buffer.length < needed) this.#buffer = Buffer.allocUnsafeSlow(needed);
    for (let end = 0; end < needed; ) {
      const written = this.#buffer.write(this.#next(keyed), end);
      if (written !== length) throw new Error("requests differ in length");
      end += written;
    }
    return new SignedRequests(this.#buffer.subarray(0, needed), length);
  }

  #next(keyed: boolean): string {
    const { appId, credentialId } = this.#credential;
    const call = this.#callOf(this.#signed++, keyed);
    const { method, path, rawQuery, body } = call;
    const parts = { ...call, appId, credentialId, nonce: randomUUID() };
    const { headers } = signRequest({ ...parts, timestamp: Date.now(), appSecret: this.#key });
    const lines = [
      `${method} ${path}${rawQuery === "" ? "" : `?${rawQuery}`} HTTP/1.1`,
      "Host: 127.0.0.1",
      "User-Agent: portico-bench",
      "Accept: application/json",
    ];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    if (body !== "") lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
    return `${lines.join("\r\n")}\r\n\r\n${body}`;
  }
}

/** A signer of sends of one kind of message to the sender's group. */
export function sendSigner(sender: Sender, kind: MessageKind, bytesMax = BUFFER_BYTES_MAX): RequestSigner {
  const callOf = (number: number, keyed: boolean): UnsignedCall => {
    return { method: "POST", path: SEND_PATH, rawQuery: "", body: sendBody(sender.groupId, kind, number, keyed) };
  };
  return new RequestSigner(sender, callOf, bytesMax);
}

/** The body of a send to the group; `keyed` adds an idempotency key, as the SDK does. */
export function sendBody(groupId: string, kind: MessageKind, number: number, keyed: boolean): string {
  const head = {
    receiveIdType: "group_id",
    receiveId: groupId,
    msgType: kind,
    ...(keyed && { clientMessageId: randomUUID() }),
  };
  return `${JSON.stringify(head).slice(0, -1)},"content":${contentJson(kind, number)}}`;
}

/** Requests as bytes, in the order in which they are made. */
export interface Requests {
  readonly count: number;
  at(index: number): Buffer;
}

/** Some requests, in turn, as often as is asked for. */
export function inTurn(requests: readonly Buffer[], count: number): Requests {
  return { count, at: (index) => requests[index % requests.length] ?? Buffer.alloc(0) };
}

/** Requests of the same length, as bytes. */
export class SignedRequests implements Requests {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #length: number;

  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.#length = length;
    this.count = bytes.length / length;
  }

  at(index: number): Buffer {
    return this.#bytes.subarray(index * this.#length, (index + 1) * this.#length);
  }
}
