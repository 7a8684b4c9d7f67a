import type { Circuits } from "../../platform/coordination/circuit.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { countWaiting } from "./count-waiting.ts";
import { listDueApps } from "./delivery-store.ts";
import type { DueClock } from "./due-clock.ts";

/** Deliveries are counted no further than this at a scrape. */
const COUNTED_TO = 10_000;

interface Parts {
  storage: Pick<Storage, "db">;
  dueClock: Pick<DueClock, "now">;
  circuits: Pick<Circuits, "stateOf" | "openUntil">;
}

/** What is known of the deliveries of one way. */
interface WayFigures {
  waiting: number;
  dueAgeSeconds: number;
}

interface QueueFigures {
  webhook: WayFigures;
  socket: WayFigures;
  openCircuits: number;
}

/** Adds the gauges of deliveries that wait. They are looked up once for all gauges and all scrapes of a moment. */
export function addQueueGauges({ addGauge, addGauges }: Pick<Metrics, "addGauge" | "addGauges">, parts: Parts): void {
  let looking: Promise<QueueFigures> | null = null;
  const look = () => {
    looking ??= measure(parts).finally(() => {
      looking = null;
    });
    return looking;
  };
  addGauges(
    "portico_deliveries_waiting",
    `Deliveries that wait for their time, a receiver or another attempt, counted up to ${COUNTED_TO}, by way: webhook or socket`,
    ["way"],
    async () => {
      const { webhook, socket } = await look();
      return [
        [{ way: "webhook" }, webhook.waiting],
        [{ way: "socket" }, socket.waiting],
      ];
    },
  );
  addGauge(
    "portico_webhook_due_age_seconds",
    "Age of the oldest webhook delivery that is due and in nobody's hands, in seconds",
    async () => (await look()).webhook.dueAgeSeconds,
  );
  addGauge(
    "portico_socket_due_age_seconds",
    "Age of the oldest delivery by socket that is due and that no connection has got, in seconds",
    async () => (await look()).socket.dueAgeSeconds,
  );
  addGauge(
    "portico_webhook_circuits_open",
    "Applications with deliveries to be made whose circuit is not NORMAL",
    async () => (await look()).openCircuits,
  );
}

async function measure({ storage, dueClock, circuits }: Parts): Promise<QueueFigures> {
  const now = dueClock.now();
  const [webhook, socket, ...waiting] = await Promise.all([
    listDueApps(storage.db, "webhook"),
    listDueApps(storage.db, "socket"),
    countWaiting(storage.db, "webhook", COUNTED_TO),
    countWaiting(storage.db, "socket", COUNTED_TO),
  ]);
  const states = await Promise.all(webhook.map(({ appId }) => circuits.stateOf(appId, now)));
  const figuresOf = async (byApp: typeof webhook, count: number | undefined): Promise<WayFigures> => {
    let oldest = now;
    for (const { appId, dueAt } of byApp) {
      // Deliveries behind an open circuit belong to another metric.
      if (dueAt < oldest && (await circuits.openUntil(appId, now)) === null) oldest = dueAt;
    }
    return { waiting: count ?? 0, dueAgeSeconds: (now - oldest) / 1_000 };
  };
  return {
    webhook: await figuresOf(webhook, waiting[0]),
    socket: await figuresOf(socket, waiting[1]),
    openCircuits: states.filter((state) => state !== "NORMAL").length,
  };
}
