import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";

/** Who sends to whom. */
export interface Sender {
  appId: string;
  credentialId: string;
  appSecret: string;
  groupId: string;
}

/** Where messages are sent. */
export const SEND_PATH = "/api/open/v2/bot/messages";

/**
 * Signs sends ahead of a phase, so that the load generator has only bytes to write. All have the same length; they lie
 * side by side in one buffer, which the next call of {@link RequestSigner.sign} uses again.
 */
export class RequestSigner {
  readonly #sender: Sender;
  readonly #key: KeyObject;
  #buffer = Buffer.alloc(0);
  #signed = 0;

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#key = createSecretKey(Buffer.from(sender.appSecret, "utf8"));
  }

  /** Signs `count` sends for now, each with a nonce, a text and, if `keyed`, an idempotency key of its own. */
  sign(count: number, keyed: boolean): SignedRequests {
    const length = Buffer.byteLength(this.#next(keyed));
    const needed = length * count;
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
    const body = sendBody(this.#sender.groupId, this.#signed++, keyed);
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

/** A text as a build server would send it; `keyed` with an idempotency key of its own, as the SDK would. */
export function sendBody(groupId: string, number: number, keyed: boolean): string {
  const text = `Build ${String(number).padStart(12, "0")} of the main branch passed: 1,204 tests in 4 min 12 s.`;
  return JSON.stringify({
    receiveIdType: "group_id",
    receiveId: groupId,
    msgType: "text",
    ...(keyed && { clientMessageId: randomUUID() }),
    content: { text },
  });
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
