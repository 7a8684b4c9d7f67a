import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { CallRefusal } from "@portico/protocol";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../../platform/errors/refusal.ts";
import { addressSite } from "../../platform/http/client-address.ts";
import { discardBody } from "../../platform/http/unread-bodies.ts";
import { FairPace } from "../../platform/limits/fair-pace.ts";

/** One a millisecond leaves most of the process's time to others; the last of those that wait has waited two seconds. */
const PACE = { everyMs: 1, maxWaiting: 2_000, maxBytes: 8 * 1024 * 1024 };
/** Calls may be sent on a connection before others are answered (RFC 9112, section 9.3.2), but so many are a flood. */
const MOST_OF_A_CONNECTION = 16;
/** A longer body does not wait with its refusal, and so its developer is not told why the signature does not match. */
const KEPT_BODY_BYTES = 16 * 1024;

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
 * refusal that comes alone is not delayed, and sites take turns. Of what waits, only the head is kept, and a short body.
 */
export function paceRefusals(server: FastifyInstance, now?: () => number): void {
  const pace = new FairPace(PACE, now);
  const waiting = new WeakMap<Socket, number>();
  server.addHook("onError", (request, _reply, error, done) => {
    if (!isUnproven(error)) return done();
    const { socket } = request.raw;
    const ofConnection = waiting.get(socket) ?? 0;
    if (ofConnection >= MOST_OF_A_CONNECTION) {
      socket.destroy();
      return done();
    }
    const body = bodyOf(error);
    const bytes = headBytes(request.raw) + (body <= KEPT_BODY_BYTES ? body : 0);
    const turn = pace.next(addressSite(request.clientAddress), bytes, () => socket.destroyed);
    if (turn === null) return done();
    if (error instanceof Refusal && body > KEPT_BODY_BYTES) error.inquire = undefined;
    discardBody(request);
    waiting.set(socket, ofConnection + 1);
    void turn.then(() => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      done();
    });
  });
  server.addHook("preClose", (done) => {
    pace.end();
    done();
  });
}

/** Whether anybody could have caused it. Who has used a nonce twice has signed with it. */
function isUnproven(error: Error): boolean {
  if (error instanceof Refusal) return UNPROVEN.has(error.refusal.check);
  return "status" in error && error.status === 401;
}

/** The bytes of the body that an error keeps. */
function bodyOf(error: Error): number {
  if (!(error instanceof Refusal) || error.inquire === undefined) return 0;
  return error.refusal.check === "signature" ? error.refusal.details.bodyLength : 0;
}

function headBytes({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}
