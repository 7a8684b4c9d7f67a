import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { listDueApps } from "./delivery-store.ts";
import type { Webhooks } from "./webhooks.ts";

/** More than so many deliveries are not counted. */
const COUNTED_TO = 100_000;
/** The most circuits that are named. */
const NAMED = 50;

/** A circuit that is not NORMAL. */
interface HeldBack {
  appId: string;
  displayName: string;
  state: "OPEN" | "PROBING";
  openUntil: number | null;
}

/** How the delivery of events fares. Times are by the clock of this machine. */
export interface QueueHealth {
  waiting: number;
  countedTo: number;
  oldestDueAt: number | null;
  /** Null while nobody can be asked. */
  circuits: HeldBack[] | null;
}

/** What a queue is measured with. */
type Asked = Pick<Webhooks, "circuitState" | "circuitOpenUntil" | "dueNow" | "shown">;

/** What waits to be delivered, since when, and which circuits hold it back. */
export async function measureQueue(db: Db, webhooks: Asked): Promise<QueueHealth> {
  const now = webhooks.dueNow();
  const byApp = [...(await dueBy(db, "webhook")), ...(await dueBy(db, "socket"))];
  const held = await askCircuits(webhooks, new Set(byApp.map(({ appId }) => appId))).catch(() => null);
  const due = byApp.filter(({ appId, dueAt }) => dueAt <= now && (held?.get(appId)?.openUntil ?? null) === null);
  const oldest = Math.min(...due.map(({ dueAt }) => dueAt));
  return {
    waiting: await countWaiting(db, byApp, COUNTED_TO),
    countedTo: COUNTED_TO,
    oldestDueAt: due.length === 0 ? null : webhooks.shown(oldest),
    circuits: held && (await named(db, [...held.values()].slice(0, NAMED))),
  };
}

/** The circuits of these applications that are not NORMAL. @throws when they cannot be asked for. */
async function askCircuits(webhooks: Asked, appIds: ReadonlySet<string>): Promise<Map<string, HeldBack>> {
  const held = new Map<string, HeldBack>();
  for (const appId of appIds) {
    const state = await webhooks.circuitState(appId);
    if (state === "NORMAL") continue;
    const until = await webhooks.circuitOpenUntil(appId);
    held.set(appId, { appId, displayName: "", state, openUntil: until === null ? null : webhooks.shown(until) });
  }
  return held;
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

async function named(db: Db, circuits: HeldBack[]): Promise<HeldBack[]> {
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
