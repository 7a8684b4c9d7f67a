import { setTimeout as sleep } from "node:timers/promises";
import { CALL_FAULTS, type CallFault, type RehearsedFault } from "@portico/protocol";
import type { App } from "../../../domain/applications/app-directory.ts";
import { takeFailure } from "../../../domain/applications/rehearsal-store.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Trace } from "../../../platform/http/trace.ts";
import type { GateParts } from "./gate-parts.ts";

const RETRY_AFTER_SECONDS = 1;

/**
 * Fails a call as the application's owner has told (docs/contract/console.md#rehearsing-faults), before its nonce is
 * used: at once, late, or, by `trace.isLost`, when it is answered.
 *
 * @throws Refusal for a fault that refuses the call.
 */
export async function rehearse(ctx: GateParts, { appId, rehearsal }: App, trace: Trace): Promise<void> {
  const now = ctx.clock.now();
  if (rehearsal === null || now >= rehearsal.endsAt || !isCallFault(rehearsal.fault)) return;
  const { fault, delayMs } = rehearsal;
  if (!(await ctx.storage.write((tx) => takeFailure(tx, appId, fault, now)))) {
    ctx.apps.forget(appId);
    return;
  }
  const refusal = { check: "rehearsal", details: { fault } } as const;
  const reason = `the application's owner rehearses ${fault}`;
  switch (fault) {
    case "CALL_RATE_LIMITED":
      throw new Refusal("QUOTA_EXCEEDED", refusal, { reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
    case "CALL_FAILS":
      throw new Refusal("INTERNAL", refusal, { reason });
    case "CREDENTIAL_EXPIRED":
      throw new Refusal("UNAUTHENTICATED", refusal, { reason });
    case "CALL_SLOW":
      await sleep(delayMs, undefined, { ref: false });
      return;
    case "CALL_ANSWER_LOST":
      trace.isLost = true;
  }
}

function isCallFault(fault: RehearsedFault): fault is CallFault {
  return (CALL_FAULTS as readonly RehearsedFault[]).includes(fault);
}
