import type { HeldBack } from "../../platform/coordination/circuit.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { countWaiting } from "./count-waiting.ts";
import { listDueApps } from "./delivery-store.ts";
import type { Webhooks } from "./webhooks.ts";

/** More than so many deliveries are not counted. */
const COUNTED_TO = 100_000;
/** The circuits of so many applications are asked for, of those first whose deliveries are due longest. */
const ASKED = 1_000;
/** The most circuits that are named. */
const NAMED = 50;

/** How the delivery of events fares. Times are by the clock of this machine. */
export interface QueueHealth {
  waiting: number;
  countedTo: number;
  oldestDueAt: number | null;
  /** Null while nobody can be asked. */
  circuits: NamedCircuit[] | null;
}

/** A circuit that is not NORMAL. */
interface NamedCircuit extends HeldBack {
  appId: string;
  displayName: string;
}

/** What a queue is measured with. */
type Asked = Pick<Webhooks, "heldBack" | "dueNow" | "shown">;

/**
 * What waits to be delivered, since when, and which circuits hold it back. However many applications have something due,
 * the circuits are asked for once.
 */
export async function measureQueue(db: Db, webhooks: Asked): Promise<QueueHealth> {
  const now = webhooks.dueNow();
  const [byApp, waiting] = await Promise.all([listDue(db), countAll(db)]);
  const asked = [...new Set(byApp.map(({ appId }) => appId))].slice(0, ASKED);
  const held = await webhooks.heldBack(asked).catch(() => null);
  const oldest = byApp.find(({ appId, dueAt }) => dueAt <= now && (held?.get(appId)?.openUntil ?? null) === null);
  return {
    waiting,
    countedTo: COUNTED_TO,
    oldestDueAt: oldest === undefined ? null : webhooks.shown(oldest.dueAt),
    circuits: held && (await named(db, [...held].slice(0, NAMED), webhooks)),
  };
}

/** The applications with something due, by webhook or by socket, the oldest first. */
async function listDue(db: Db): Promise<{ appId: string; dueAt: number }[]> {
  const [webhook, socket] = [await listDueApps(db, "webhook"), await listDueApps(db, "socket")];
  return [...webhook, ...socket].sort((one, other) => one.dueAt - other.dueAt);
}

/** The deliveries that wait, counted in the indexes of what is due. */
async function countAll(db: Db): Promise<number> {
  const webhook = await countWaiting(db, "webhook", COUNTED_TO);
  return webhook + (await countWaiting(db, "socket", COUNTED_TO - webhook));
}

async function named(
  db: Db,
  circuits: readonly (readonly [appId: string, HeldBack])[],
  webhooks: Asked,
): Promise<NamedCircuit[]> {
  if (circuits.length === 0) return [];
  const appIds = circuits.map(([appId]) => appId);
  const rows = await db.selectFrom("apps").select(["app_id", "display_name"]).where("app_id", "in", appIds).execute();
  const names = new Map(rows.map(({ app_id, display_name }) => [app_id, display_name]));
  return circuits.map(([appId, { state, openUntil }]) => ({
    appId,
    displayName: names.get(appId) ?? "",
    state,
    openUntil: openUntil === null ? null : webhooks.shown(openUntil),
  }));
}
