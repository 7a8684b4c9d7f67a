import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** What is noted of a request on its way, for the log and the request log. Never a secret, never a body. */
export interface Trace {
  appId: string | null;
  /** Why it was refused, in words; null while it was not. */
  reason: string | null;
  /** The code of the answer. */
  code: string;
  /** The canonical string that the server built, once it has. */
  canonicalString: string | null;
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
  return { appId: null, reason: null, code: "", canonicalString: null, startedAtMs: performance.now(), at: now };
}

/**
 * Makes request numbers: unique across processes and restarts, growing within one process.
 * Eight random bytes name the process, a counter the request.
 */
export function reqNoGenerator(): () => string {
  const process = randomBytes(8).toString("hex");
  let count = 0;
  return () => `${process}${(count++).toString(36).padStart(6, "0")}`;
}

/** The request number of `request`, which every answer carries. */
export function reqNoOf(request: FastifyRequest): string {
  return request.id;
}
