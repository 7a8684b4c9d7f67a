import { type KeyObject, randomBytes } from "node:crypto";
import type { CallRefusal } from "@portico/protocol";
import type { FastifyRequest } from "fastify";
import type { Inquiry } from "../errors/refusal.ts";

/** The application that calls, as far as logs need to know it: whose call it is, and what must never be shown of it. */
export interface CallingApp {
  readonly appId: string;
  readonly credentials: ReadonlyMap<string, { readonly key: KeyObject }>;
}

/** What is noted of a request on its way, for the log and the request log. Never a secret, never a body. */
export interface Trace {
  /** The application that calls, once its id has been looked up. */
  app: CallingApp | null;
  /** Why it was refused, in words; null while it was not. */
  reason: string | null;
  /** Which check refused it, and how more can be found out about that; null while it was not. */
  refusal: CallRefusal | null;
  inquire: Inquiry | null;
  /** What went wrong inside, when the answer is an internal error. */
  failure: unknown;
  /** The code of the answer. */
  code: string;
  /** `performance.now()` at its arrival. */
  startedAtMs: number;
  /** Epoch milliseconds of its arrival, by the service's clock. */
  at: number;
}

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace;
  }
}

export function newTrace(now: number): Trace {
  return {
    app: null,
    reason: null,
    refusal: null,
    inquire: null,
    failure: null,
    code: "",
    startedAtMs: performance.now(),
    at: now,
  };
}

/** Digits of a time in base 36; enough until the year 5188. */
const TIME_DIGITS = 9;

/**
 * Makes request numbers: unique across processes and restarts, in the order of time. The time, then six random bytes
 * that name the process, then a counter.
 */
export function reqNoGenerator(now: () => number): () => string {
  const process = randomBytes(6).toString("hex");
  let count = 0;
  let time = 0;
  let prefix = "";
  return () => {
    if (now() !== time) {
      time = now();
      prefix = reqNosFrom(time) + process;
    }
    return prefix + (count++).toString(36).padStart(6, "0");
  };
}

/** What every request number given out at `time` (epoch milliseconds) or later sorts after. */
export function reqNosFrom(time: number): string {
  return Math.max(0, Math.floor(time)).toString(36).padStart(TIME_DIGITS, "0");
}

/** The request number of `request`, which every answer carries. */
export function reqNoOf(request: FastifyRequest): string {
  return request.id;
}
