import { type KeyObject, randomBytes } from "node:crypto";
import type { CallRefusal } from "@portico/protocol";
import type { FastifyRequest } from "fastify";
import type { Inquiry } from "../errors/refusal.ts";
import type { TracedSpan } from "../tracing/tracing.ts";

/** The calling application, as far as logs need it: the owner of the call, and values that must not be logged. */
export interface CallingApp {
  readonly appId: string;
  readonly credentials: ReadonlyMap<string, { readonly key: KeyObject }>;
}

/** What is recorded about a request for the log and the request log. Never a secret, never a body. */
export interface Trace {
  /** The calling application, once its id has been looked up. */
  app: CallingApp | null;
  /** Why it was refused; null unless it was. */
  reason: string | null;
  /** The check that refused it, and a function that finds more details; null unless it was refused. */
  refusal: CallRefusal | null;
  inquire: Inquiry | null;
  /** The cause of an internal error. */
  failure: unknown;
  /** Whether its answer is withheld on purpose, and the connection ended instead. */
  isLost: boolean;
  /** The code of the answer. */
  code: string;
  /** `performance.now()` at its arrival. */
  startedAtMs: number;
  /** Epoch milliseconds of its arrival, by the service's clock. */
  at: number;
  /** Its part of a distributed trace; null while traces are not exported. */
  span: TracedSpan | null;
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
    isLost: false,
    code: "",
    startedAtMs: performance.now(),
    at: now,
    span: null,
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

/** A lower bound of all request numbers generated at `time` (epoch milliseconds) or later. */
export function reqNosFrom(time: number): string {
  return Math.max(0, Math.floor(time)).toString(36).padStart(TIME_DIGITS, "0");
}

/** The request number of `request`, which is part of every answer. */
export function reqNoOf(request: FastifyRequest): string {
  return request.id;
}
