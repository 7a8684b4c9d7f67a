import type { FastifyInstance } from "fastify";
import { Unavailable } from "../errors/unavailable.ts";
import type { Retirement } from "../retirement.ts";

/** What is answered to the last. */
const ALWAYS: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/** Has a process that has retired refuse what comes: another one takes it. What is under way is finished. */
export function refuseWhenRetired(server: FastifyInstance, retirement: Retirement): void {
  server.addHook("onRequest", (request, _reply, done) => {
    const { reason } = retirement;
    if (reason === null || ALWAYS.has(request.routeOptions.url)) done();
    else done(new Unavailable(reason));
  });
}
