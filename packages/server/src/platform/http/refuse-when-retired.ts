import type { FastifyInstance } from "fastify";
import type { Context } from "../../api/common/context.ts";
import { Unavailable } from "../errors/unavailable.ts";

/** What is answered to the last. */
const ALWAYS: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/** Has a process that has retired refuse what comes: another one takes it. What is under way is finished. */
export function refuseWhenRetired(server: FastifyInstance, { retirement }: Context): void {
  server.addHook("onRequest", (request, _reply, done) => {
    const { reason } = retirement;
    if (reason === null || ALWAYS.has(request.routeOptions.url)) done();
    else done(new Unavailable(reason));
  });
}
