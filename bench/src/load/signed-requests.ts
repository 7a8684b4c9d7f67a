import { createSecretKey, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";
import { contentJson, type MessageKind } from "./message-kinds.ts";

/** Who sends to whom. */
export interface Sender {
  appId: string;
  credentialId: string;
  appSecret: string;
  groupId: string;
}

/** An application of which nothing is known yet. */
export function newSender(): Sender {
  const appSecret = randomBytes(32).toString("base64url");
  return { appId: "app_bench", credentialId: "cred_bench", appSecret, groupId: "g_bench" };
}

/** Where messages are sent. */
export const SEND_PATH = "/api/open/v2/bot/messages";

/** What requests signed ahead may take up in memory. */
const BUFFER_BYTES_MAX = 256 * 2 ** 20;

/**
 * Signs sends ahead of a phase, so that the load generator has only bytes to write. All have the same length; they lie
 * side by side in one buffer, which the next call of {@link RequestSigner.sign} uses again.
 */
export class RequestSigner {
  readonly #sender: Sender;
  readonly #kind: MessageKind;
  readonly #bytesMax: number;
  readonly #key: KeyObject;
  #buffer = Buffer.alloc(0);
  #signed = 0;

  constructor(sender: Sender, kind: MessageKind, bytesMax = BUFFER_BYTES_MAX) {
    this.#sender = sender;
    this.#kind = kind;
    this.#bytesMax = bytesMax;
    this.#key = createSecretKey(Buffer.from(sender.appSecret, "utf8"));
  }

  /**
   * Signs `count` sends for now, or as many as there is room for, each with a nonce, a content and, if `keyed`, an
   * idempotency key of its own.
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
    const { appId, credentialId } = this.#sender;
    const body = sendBody(this.#sender.groupId, this.#kind, this.#signed++, keyed);
    const nonce = randomUUID();
    const parts = { method: "POST", path: SEND_PATH, rawQuery: "", appId, credentialId, nonce, body };
    const { headers } = signRequest({ ...parts, timestamp: Date.now(), appSecret: this.#key });
    const lines = [
      `POST ${SEND_PATH} HTTP/1.1`,
      "Host: 127.0.0.1",
      "User-Agent: portico-bench",
      "Accept: application/json",
    ];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
    return `${lines.join("\r\n")}\r\n\r\n${body}`;
  }
}

/** A send to the group; `keyed` with an idempotency key of its own, as the SDK would. */
export function sendBody(groupId: string, kind: MessageKind, number: number, keyed: boolean): string {
  const head = {
    receiveIdType: "group_id",
    receiveId: groupId,
    msgType: kind,
    ...(keyed && { clientMessageId: randomUUID() }),
  };
  return `${JSON.stringify(head).slice(0, -1)},"content":${contentJson(kind, number)}}`;
}

/** Requests of one length, as they go over the wire. */
export class SignedRequests {
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
