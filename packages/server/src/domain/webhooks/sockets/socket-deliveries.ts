import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import { invariant } from "../../../platform/errors/invariant.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { answerText } from "../attempts/answer-text.ts";
import type { FailureReason } from "../attempts/attempt-failure.ts";
import type { RecordedResult } from "../attempts/attempt-result.ts";
import { listDueApps } from "../delivery-store.ts";
import type { Bounds } from "../dispatcher/bounds.ts";
import { type Deliver, verdictOn } from "../dispatcher/deliver.ts";
import type { DueDeliveries } from "../dispatcher/due-deliveries.ts";
import { type HeldDelivery, leaseMsFor } from "../dispatcher/held-delivery.ts";
import type { DueClock } from "../due-clock.ts";
import { claimForSockets } from "./claim-for-sockets.ts";
import type { FrameEnd } from "./socket-connection.ts";
import type { SocketHub } from "./socket-hub.ts";
import { socketLane } from "./socket-store.ts";

/** The dependencies of deliveries by socket. */
export interface SocketDeliveryParts {
  storage: Storage;
  hub: SocketHub;
  clock: Clock;
  dueClock: DueClock;
  config: Config;
  metrics: Metrics;
  bounds: Bounds;
  /** Notifies the dispatchers of other processes. */
  publishDue(appId: string): void;
}

/** Deliveries by socket: a process claims those for connections that it holds itself. */
export function socketDeliveries(parts: SocketDeliveryParts): DueDeliveries {
  const { storage, hub, config, bounds } = parts;
  const leaseMs = leaseMsFor(config.webhook, bounds.maxAheadMs);
  return {
    listApps: async () => (await listDueApps(storage.db, "socket")).filter(({ appId }) => hub.has(appId)),
    async claim({ appId, limit, now, probe }) {
      const before = hub.roomsOf(appId);
      const { rooms } = before;
      const room = [...rooms.values()].reduce((sum, each) => sum + each, 0);
      if (rooms.size > 0 && room === 0) hub.setHungry(appId, before);
      if (room === 0) return { claims: [], nextDueAt: null };
      const query = { appId, limit, now, leaseEnd: now + leaseMs, rooms, pick: hub.pick };
      const found = await storage.write((tx) => claimForSockets(tx, storage.dialect, query), socketLane(appId));
      if (found.isLeft) hub.setHungry(appId, before);
      if (found.isOthers) parts.publishDue(appId);
      const claimedAt = performance.now();
      const recipients = { read: found.recipients, readAt: claimedAt };
      const claims = found.claimed.map(
        (delivery): HeldDelivery => ({
          appId,
          delivery,
          claimedAt,
          recipients,
          probe,
          stage: "waiting",
        }),
      );
      return { claims, nextDueAt: found.nextDueAt };
    },
    // What was left waits for room or for a connection, and whoever brings one wakes the dispatcher.
    leftDue: () => null,
  };
}

/**
 * Returns the function that attempts a claimed delivery: it sends the event over the connection for which it was claimed,
 * at once and in the order of the calls, and waits for the answer (docs/contract/socket.md).
 */
export function socketDeliverer({ hub, clock, dueClock, config, metrics }: SocketDeliveryParts): Deliver {
  const { retryDelaysMs } = config.webhook;
  return async (_appId, delivery) => {
    const { socket } = delivery;
    invariant(socket !== undefined, "what goes by socket was claimed for a connection");
    const connection = hub.find(socket.connectionId);
    // Its end has given the delivery back.
    if (connection === undefined) return { endedElsewhere: true };
    const [at, beganAt] = [clock.now(), performance.now()];
    const end = await connection.sendEvent({ ...delivery, socket });
    if (end.end === "given-back") return { endedElsewhere: true };
    const { outcome, reason, detail, answer } = await judge(end);
    metrics.countAttempt(reason ?? "ack");
    const durationMs = performance.now() - beganAt;
    const result: RecordedResult = {
      at,
      address: "socket",
      status: null,
      reason,
      detail,
      durationMs,
      phases: null,
      answer,
    };
    // A connection that does not answer says nothing of the others, which get its events.
    const isSpared = end.end === "timeout" && (await hub.hasOthers(connection));
    return { result, verdict: verdictOn(outcome, delivery, retryDelaysMs, dueClock), isSpared };
  };
}

interface Judged {
  outcome: "delivered" | "retry" | "failed";
  reason: FailureReason | null;
  detail: string | null;
  answer: string;
}

async function judge(end: Exclude<FrameEnd, { end: "given-back" }>): Promise<Judged> {
  if (end.end === "ack") return { outcome: "delivered", reason: null, detail: null, answer: "" };
  if (end.end === "timeout") {
    const detail = "The event was neither acknowledged nor refused in time.";
    return { outcome: "retry", reason: "ack-timeout", detail, answer: "" };
  }
  if (end.end === "connection-ended") {
    const detail = "Three connections in a row ended before the event was answered.";
    return { outcome: "retry", reason: "connection-ended", detail, answer: "" };
  }
  const { reason = "", retry = true } = end.nack;
  const answer = await answerText(Buffer.from(reason, "utf8"), "");
  return { outcome: retry ? "retry" : "failed", reason: "nack", detail: "The application refused the event.", answer };
}
