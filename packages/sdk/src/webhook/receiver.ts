import type { EventType } from "@portico/protocol";
import { type EventDeduplication, memoryDeduplication } from "./deduplication.ts";
import type { WebhookEvent } from "./events.ts";
import { deliveryHeaders, headerOf, type WebhookHeaders } from "./headers.ts";
import type { EventListener, WebhookOptions } from "./options.ts";
import { RequestAborted, SetupError } from "./request-errors.ts";
import { challengeOf } from "./url-verification.ts";
import { type VerificationFailure, WebhookVerificationError } from "./verification-error.ts";
import { secretList, TOLERANCE_MS, verifyWebhook, type WebhookSecret } from "./verify.ts";

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * What a request is answered with that is no delivery. A signature or a timestamp that does not hold is no verdict on
 * the event: every PUT of a subscription rotates its secret at once, so that for the time until the new one is deployed
 * here, deliveries are signed with a secret that this receiver does not know; and a clock that is wrong gets set. So
 * these are answered with one of the statuses after which the service delivers again
 * (docs/contract/events.md#attempts-and-retries). Of those it is 425, which says that a request that may be a replay is
 * not taken now (RFC 8470, section 5.2): anyone can send what is not signed, and a 5xx would let anyone set off alarms
 * and have a proxy take this receiver out of service.
 */
const REFUSAL_STATUS: Record<VerificationFailure, number> = {
  "missing-header": 401,
  signature: 425,
  timestamp: 425,
  body: 400,
};

/** What a receiver answers; it is for a program that serves HTTP to send it. */
export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request whose body has yet to be read. */
export interface UnreadRequest {
  method: string;
  headers: WebhookHeaders;
  /** Reads the body to its end; null as soon as it is over so many bytes. */
  readBody(maxBytes: number): Promise<Uint8Array | null>;
}

/** Receives deliveries: verifies them, tells repeated ones, and hands events to their listeners. */
export class WebhookReceiver {
  readonly #options: WebhookOptions;
  readonly #clock: () => number;
  readonly #toleranceMs: number;
  readonly #maxBodyBytes: number;
  readonly #deduplication: EventDeduplication;
  /** Events being handled here: who brings one again meanwhile waits, and gets the same answer. */
  readonly #underWay = new Map<string, Promise<WebhookAnswer>>();

  /** @throws TypeError or RangeError, naming the option, when an option cannot be used. */
  constructor(options: WebhookOptions) {
    if (typeof options.secret !== "function") secretList(options.secret);
    if (options.on === undefined && options.onEvent === undefined) throw new TypeError("on or onEvent must be given");
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#toleranceMs = notNegative("toleranceMs", options.toleranceMs ?? TOLERANCE_MS);
    this.#maxBodyBytes = notNegative("maxBodyBytes", options.maxBodyBytes ?? MAX_BODY_BYTES);
    this.#deduplication = options.deduplication ?? memoryDeduplication();
  }

  /**
   * Answers a request.
   *
   * @throws RequestAborted when the sender went away.
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
    const { eventId } = event;
    const waiting = this.#underWay.get(eventId);
    if (waiting !== undefined) return await waiting;
    const handling = this.#handleOnce(eventId, listener);
    this.#underWay.set(eventId, handling);
    try {
      return await handling;
    } finally {
      this.#underWay.delete(eventId);
    }
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
    // What stands under a type listens to events of that type, which the compiler cannot follow.
    const listener = (own as EventListener | undefined) ?? onEvent;
    return listener && (() => listener(event));
  }

  /**
   * Acknowledges an event only when it has been handled. One that is busy elsewhere is put off: it might fail there,
   * and would be lost if it were acknowledged here.
   */
  async #handleOnce(eventId: string, listener: () => unknown): Promise<WebhookAnswer> {
    const claim = await this.#deduplication.claim(eventId);
    if (claim === "done") return answerOf(200, { result: "duplicate" });
    if (claim === "busy") return answerOf(409, { error: "busy", message: "the event is being handled" });
    try {
      await listener();
    } catch (error) {
      await this.#attempt(() => this.#deduplication.release(eventId));
      throw error;
    }
    await this.#attempt(() => this.#deduplication.finish(eventId));
    return answerOf(200, { result: "handled" });
  }

  /** Does what must not change the answer when it fails. */
  async #attempt(action: () => unknown): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#report(error);
    }
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

function refusalOf({ method, headers }: UnreadRequest): WebhookAnswer | null {
  if (method.toUpperCase() !== "POST") {
    return answerOf(405, { error: "method", message: "deliveries come by POST" }, { allow: "POST" });
  }
  const [mediaType = ""] = (headerOf(headers, "content-type") ?? "").split(";", 1);
  if (mediaType.trim().toLowerCase() === "application/json") return null;
  return answerOf(415, { error: "media-type", message: "deliveries are application/json" });
}

/** The service shows answers to the developer of the application, so they say what can be said. */
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

/** Anyone can have a request refused; a log that anyone can fill helps nobody. */
function reportFailure(error: unknown): void {
  if (!(error instanceof WebhookVerificationError)) console.error(error);
}

function notNegative(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} must be a whole number from 0 on`);
  return value;
}
