import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { RECENT_MINUTES } from "../../../domain/requests/recent-calls.ts";
import { measureQueue } from "../../../domain/webhooks/queue-health.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { HealthParts } from "../parts.ts";
import { inTime, pinged } from "./pinged.ts";

/** GET operator/health. What is down, or late, leaves its part out, as long as the operator can be known. */
export const getHealth: ConsoleRoute<typeof OPERATOR_ENDPOINTS.getHealth, HealthParts> = {
  endpoint: OPERATOR_ENDPOINTS.getHealth,
  async handle(ctx) {
    const { config, clock, storage, coordination, freeSpace, processes, webhooks } = ctx;
    const isDistributed = config.distributed !== null;
    const [database, redis, all, deliveries] = await Promise.all([
      pinged(() => storage.ping()),
      isDistributed ? pinged(() => coordination.ping()) : null,
      inTime(processes.list()),
      inTime(measureQueue(storage.lists, webhooks)),
    ]);
    return {
      at: clock.now(),
      mode: isDistributed ? "DISTRIBUTED" : "EMBEDDED",
      minutes: RECENT_MINUTES,
      processes: all,
      database: { engine: storage.dialect === "sqlite" ? "SQLITE" : "POSTGRESQL", ...database },
      redis,
      disk: {
        freeBytes: freeSpace.free,
        totalBytes: freeSpace.total,
        takesUploads: freeSpace.accepts("upload"),
        takesMessages: freeSpace.accepts("message"),
      },
      deliveries,
    };
  },
};
