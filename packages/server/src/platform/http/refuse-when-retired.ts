import type { FastifyInstance } from "fastify";
import { Unavailable } from "../errors/unavailable.ts";
import type { Retirement } from "../retirement.ts";

/** The routes that a retired process still answers. */
const ALWAYS: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Makes a process that has retired refuse new requests, so that another process handles them. Pending ones are
 * finished.
 */
export function refuseWhenRetired(server: FastifyInstance, retirement: Retirement): void {
  server.addHook("onRequest", (request, _reply, done) => {
    const { reason } = retirement;
    if (reason === null || ALWAYS.has(request.routeOptions.url)) done();
    else done(new Unavailable(reason));
  });
}
