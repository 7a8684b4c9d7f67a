import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { listDueApps } from "./delivery-store.ts";
import type { Webhooks } from "./webhooks.ts";

/** More than so many deliveries are not counted. */
const COUNTED_TO = 100_000;
/** The most circuits that are named. */
const NAMED = 50;

/** How the delivery of events fares. Times are by the clock of this machine. */
export interface QueueHealth {
  waiting: number;
  countedTo: number;
  oldestDueAt: number | null;
  circuits: { appId: string; displayName: string; state: "OPEN" | "PROBING"; openUntil: number | null }[];
}

/** What waits to be delivered, since when, and which circuits hold it back. */
export async function measureQueue(
  db: Db,
  webhooks: Pick<Webhooks, "circuitState" | "circuitOpenUntil" | "dueNow" | "shown">,
): Promise<QueueHealth> {
  const now = webhooks.dueNow();
  const byApp = [...(await dueBy(db, "webhook")), ...(await dueBy(db, "socket"))];
  const held = new Map<string, QueueHealth["circuits"][number]>();
  let oldest: number | null = null;
  for (const { appId, dueAt } of byApp) {
    const state = await webhooks.circuitState(appId);
    if (state !== "NORMAL") {
      const until = await webhooks.circuitOpenUntil(appId);
      const openUntil = until === null ? null : webhooks.shown(until);
      held.set(appId, { appId, displayName: "", state, openUntil });
      if (until !== null) continue;
    }
    if (dueAt <= now && (oldest === null || dueAt < oldest)) oldest = dueAt;
  }
  return {
    waiting: await countWaiting(db, byApp, COUNTED_TO),
    countedTo: COUNTED_TO,
    oldestDueAt: oldest === null ? null : webhooks.shown(oldest),
    circuits: await named(db, [...held.values()].slice(0, NAMED)),
  };
}

async function dueBy(db: Db, by: "webhook" | "socket") {
  return (await listDueApps(db, by)).map((due) => ({ ...due, by }));
}

/** The deliveries that wait, counted no further than `most`. */
async function countWaiting(db: Db, byApp: readonly { appId: string; by: "webhook" | "socket" }[], most: number) {
  let total = 0;
  for (const { appId, by } of byApp) {
    const row = await COUNTS[by].first(db, { appId, most: most - total });
    total += row?.total ?? 0;
    if (total >= most) break;
  }
  return total;
}

/** Each by its index of what is due, which has the applications first. */
const COUNTS = { webhook: countBy(0), socket: countBy(1) };

function countBy(socket: 0 | 1) {
  return prepared<{ appId: string; most: number }>()((db, param) => {
    const waiting = db
      .selectFrom("deliveries")
      .select("due_at")
      .where("app_id", "=", param("appId"))
      .where("due_at", "is not", null)
      .where("socket", "=", sql.lit(socket))
      .orderBy("due_at")
      .limit(param("most"));
    return db.selectFrom(waiting.as("waiting")).select((eb) => eb.fn.countAll<number>().as("total"));
  });
}

async function named(db: Db, circuits: QueueHealth["circuits"]): Promise<QueueHealth["circuits"]> {
  if (circuits.length === 0) return circuits;
  const rows = await db
    .selectFrom("apps")
    .select(["app_id", "display_name"])
    .where(
      "app_id",
      "in",
      circuits.map(({ appId }) => appId),
    )
    .execute();
  const names = new Map(rows.map(({ app_id, display_name }) => [app_id, display_name]));
  return circuits.map((circuit) => ({ ...circuit, displayName: names.get(circuit.appId) ?? "" }));
}
