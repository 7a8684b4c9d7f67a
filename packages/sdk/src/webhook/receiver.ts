import type { EventType } from "@portico/protocol/events";
import { memoryDeduplication } from "./deduplication.ts";
import { secretList, TOLERANCE_MS, type WebhookSecret } from "./delivery-checks.ts";
import type { WebhookEvent } from "./events.ts";
import { deliveryHeaders, headerOf, type WebhookHeaders } from "./headers.ts";
import { type Handling, Once } from "./once.ts";
import type { EventListener, WebhookOptions } from "./options.ts";
import { RequestAborted, SetupError } from "./request-errors.ts";
import { challengeOf } from "./url-verification.ts";
import { type VerificationFailure, WebhookVerificationError } from "./verification-error.ts";
import { verifyWebhook } from "./verify.ts";

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The HTTP status for each kind of invalid request.
 *
 * A wrong signature or timestamp is no final verdict on the event. Every PUT of a subscription rotates its secret at
 * once, so until the new secret is deployed here, deliveries carry signatures that this receiver cannot verify; and a
 * wrong clock will be corrected. Such requests therefore get a status after which the service delivers again
 * (docs/contract/events.md#attempts-and-retries): 425, which says that a possible replay is not processed now (RFC
 * 8470, section 5.2). A 5xx would be wrong, because anybody can send unsigned requests, and could thereby set off
 * alarms or make a proxy take this receiver out of service.
 */
const REFUSAL_STATUS: Record<VerificationFailure, number> = {
  "missing-header": 401,
  signature: 425,
  timestamp: 425,
  body: 400,
};

/** The receiver's answer, to be sent by an HTTP server. */
export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request with an unread body. */
export interface UnreadRequest {
  method: string;
  headers: WebhookHeaders;
  /** Reads the body; null as soon as it exceeds `maxBytes`. */
  readBody(maxBytes: number): Promise<Uint8Array | null>;
}

/** Receives deliveries: verifies them, detects repeated ones, and passes events to their listeners. */
export class WebhookReceiver {
  readonly #options: WebhookOptions;
  readonly #clock: () => number;
  readonly #toleranceMs: number;
  readonly #maxBodyBytes: number;
  readonly #once: Once;

  /** @throws TypeError or RangeError naming the invalid option. */
  constructor(options: WebhookOptions) {
    if (typeof options.secret !== "function") secretList(options.secret);
    if (options.on === undefined && options.onEvent === undefined) throw new TypeError("on or onEvent must be given");
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#toleranceMs = notNegative("toleranceMs", options.toleranceMs ?? TOLERANCE_MS);
    this.#maxBodyBytes = notNegative("maxBodyBytes", options.maxBodyBytes ?? MAX_BODY_BYTES);
    this.#once = new Once(options.deduplication ?? memoryDeduplication(), (error) => this.#report(error));
  }

  /**
   * Answers a request.
   *
   * @throws RequestAborted when the sender disconnected.
   */
  async answer(request: UnreadRequest): Promise<WebhookAnswer> {
    const refusal = refusalOf(request) ?? this.#sizeRefusal(request.headers);
    if (refusal !== null) return refusal;
    try {
      const body = await request.readBody(this.#maxBodyBytes);
      return body === null ? this.#tooLarge() : await this.#answerBody(request.headers, body);
    } catch (error) {
      if (error instanceof RequestAborted) throw error;
      this.#report(error);
      return failureAnswer(error);
    }
  }

  async #answerBody(headers: WebhookHeaders, body: Uint8Array): Promise<WebhookAnswer> {
    const challenge = challengeOf(headers, body);
    if (challenge !== null) return answerOf(200, { challenge });
    const event = await this.#verify(headers, body);
    const listener = this.#listenerTo(event);
    if (listener === undefined) return answerOf(200, { result: "ignored" });
    return ANSWERS[await this.#once.run(event.eventId, listener)];
  }

  async #verify(headers: WebhookHeaders, body: Uint8Array): Promise<WebhookEvent> {
    const secret = await this.#secretFor(headers);
    return verifyWebhook({ headers, body, secret, now: this.#clock(), toleranceMs: this.#toleranceMs });
  }

  async #secretFor(headers: WebhookHeaders): Promise<WebhookSecret> {
    const { secret } = this.#options;
    if (typeof secret !== "function") return secret;
    const { appId, eventType } = deliveryHeaders(headers);
    const found = await secret(appId, eventType);
    if (found !== undefined) return found;
    throw new WebhookVerificationError("signature", "this receiver has no secret for the application");
  }

  #listenerTo(event: WebhookEvent): (() => unknown) | undefined {
    const { on = {}, onEvent } = this.#options;
    const own = Object.hasOwn(on, event.eventType) ? on[event.eventType as EventType] : undefined;
    // The listener stored under a type accepts events of that type, which the compiler cannot infer.
    const listener = (own as EventListener | undefined) ?? onEvent;
    return listener && (() => listener(event));
  }

  #report(error: unknown): void {
    const { onError = reportFailure } = this.#options;
    onError(error);
  }

  #sizeRefusal(headers: WebhookHeaders): WebhookAnswer | null {
    return Number(headerOf(headers, "content-length")) > this.#maxBodyBytes ? this.#tooLarge() : null;
  }

  #tooLarge(): WebhookAnswer {
    return answerOf(413, { error: "too-large", message: `the body is over ${this.#maxBodyBytes} bytes` });
  }
}

const ANSWERS: Readonly<Record<Handling, WebhookAnswer>> = {
  handled: answerOf(200, { result: "handled" }),
  duplicate: answerOf(200, { result: "duplicate" }),
  busy: answerOf(409, { error: "busy", message: "the event is being handled" }),
};

function refusalOf({ method, headers }: UnreadRequest): WebhookAnswer | null {
  if (method.toUpperCase() !== "POST") {
    return answerOf(405, { error: "method", message: "deliveries come by POST" }, { allow: "POST" });
  }
  const [mediaType = ""] = (headerOf(headers, "content-type") ?? "").split(";", 1);
  if (mediaType.trim().toLowerCase() === "application/json") return null;
  return answerOf(415, { error: "media-type", message: "deliveries are application/json" });
}

/** The service shows these answers to the application's developer, so they explain the failure. */
function failureAnswer(error: unknown): WebhookAnswer {
  if (error instanceof WebhookVerificationError) {
    return answerOf(REFUSAL_STATUS[error.reason], { error: error.reason, message: error.message });
  }
  return answerOf(500, {
    error: "failure",
    message: error instanceof SetupError ? error.message : "the receiver failed to handle the request",
  });
}

function answerOf(status: number, body: object, headers: Record<string, string> = {}): WebhookAnswer {
  const contentType = { "content-type": "application/json; charset=utf-8" };
  return { status, headers: { ...contentType, ...headers }, body: JSON.stringify(body) };
}

/** Refused requests are not logged: anybody could fill the log with them. */
function reportFailure(error: unknown): void {
  if (!(error instanceof WebhookVerificationError)) console.error(error);
}

function notNegative(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} must be a whole number from 0 on`);
  return value;
}
