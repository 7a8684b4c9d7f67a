import type { DeliveryFault } from "@portico/protocol";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { takeFailure } from "../../applications/rehearsal-store.ts";
import type { DueClock } from "../due-clock.ts";
import type { Outcome } from "../settle-claims.ts";
import { type Deliver, verdictOn } from "./deliver.ts";

/** The dependencies of rehearsed faults. */
export interface RehearsedParts {
  storage: Storage;
  clock: Clock;
  dueClock: DueClock;
  config: Config;
}

/** Attempts deliveries, and has those fail of which the application's owner rehearses a fault. */
export function rehearsed(deliver: Deliver, parts: RehearsedParts): Deliver {
  const { storage, clock, config } = parts;
  if (config.environment === "production") return deliver;
  return async (appId, delivery, recipients, signal) => {
    const { rehearsal } = await recipients();
    const outcome = await deliver(appId, delivery, recipients, signal);
    if (rehearsal === null || clock.now() >= rehearsal.endsAt) return outcome;
    const { fault } = rehearsal;
    if (fault !== "DELIVERY_ANSWER_LOST" && fault !== "DELIVERY_TWICE") return outcome;
    if (!("result" in outcome) || outcome.verdict.status !== "DELIVERED") return outcome;
    if (!(await storage.write((tx) => takeFailure(tx, appId, fault, clock.now())))) return outcome;
    return failedBy(fault, outcome, delivery.retryCount, parts);
  };
}

function failedBy(
  fault: DeliveryFault,
  { result, verdict }: Extract<Outcome, { result: unknown }>,
  retryCount: number,
  { dueClock, config }: RehearsedParts,
): Outcome {
  if (fault === "DELIVERY_TWICE") {
    const dueAt = dueClock.now();
    return { result, verdict: { ...verdict, status: "RETRYING", dueAt, nextAttemptAt: dueClock.shown(dueAt) } };
  }
  const detail = "Rehearsed: the event was delivered, and the answer counts as lost.";
  const isSocket = result.address === "socket";
  const lost = { ...result, status: null, reason: isSocket ? "ack-timeout" : "connection-reset", detail } as const;
  return { result: lost, verdict: verdictOn("retry", { retryCount }, config.webhook.retryDelaysMs, dueClock) };
}
