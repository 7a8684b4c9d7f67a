import type { IncomingMessage } from "node:http";
import type { CallRefusal } from "@portico/protocol";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../../platform/errors/refusal.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import { discardBody } from "../../platform/http/unread-bodies.ts";
import { FairPace } from "../../platform/limits/fair-pace.ts";

/** One a millisecond leaves most of the process's time to others; the last of those that wait has waited two seconds. */
const PACE = { everyMs: 1, maxWaiting: 2_000, maxBytes: 8 * 1024 * 1024 };

/** What is checked before a signature proves who calls. */
const UNPROVEN: ReadonlySet<CallRefusal["check"]> = new Set([
  "body-size",
  "headers",
  "timestamp",
  "application",
  "app-state",
  "credential",
  "signature",
]);

/**
 * Spaces the refusals of callers who have not shown who they are. Anybody can cause these, and most clients that do repeat
 * a call as soon as it is refused: as fast as they are answered, a few of them could take all the time of the process. A
 * refusal that comes alone is not delayed, and addresses take turns. Of what waits, only the head is kept.
 */
export function paceRefusals(server: FastifyInstance): void {
  const pace = new FairPace(PACE);
  server.addHook("onError", (request, _reply, error, done) => {
    const turn = isUnproven(error) ? pace.next(addressBlock(request.clientAddress), headBytes(request.raw)) : null;
    if (turn === null) return done();
    discardBody(request);
    void turn.then(done);
  });
  server.addHook("preClose", (done) => {
    pace.end();
    done();
  });
}

function isUnproven(error: Error): boolean {
  if (error instanceof Refusal && UNPROVEN.has(error.refusal.check)) return true;
  return "status" in error && error.status === 401;
}

function headBytes({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}
