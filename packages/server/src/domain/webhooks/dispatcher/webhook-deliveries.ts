import type { Config } from "../../../platform/config/config.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { listDueApps } from "../delivery-store.ts";
import type { Bounds } from "./bounds.ts";
import type { DueDeliveries } from "./due-deliveries.ts";
import { claimDueFor, leaseMsFor } from "./held-delivery.ts";

/** Deliveries to webhooks; any process claims them. */
export function webhookDeliveries({
  storage,
  config,
  bounds,
}: {
  storage: Storage;
  config: Config;
  bounds: Bounds;
}): DueDeliveries {
  const leaseMs = leaseMsFor(config.webhook, bounds.maxAheadMs);
  return {
    listApps: () => listDueApps(storage.db, "webhook"),
    claim: (query) => claimDueFor(storage, { ...query, leaseEnd: query.now + leaseMs }),
    // With nothing claimed, another transaction holds their rows.
    leftDue: (claimed, now) => (claimed === 0 ? now + bounds.heldPauseMs : now),
  };
}
