import type { EventType } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { countAttempts } from "../subscription-store.ts";

const settle = prepared<{ deliveryId: number; round: number }>()((db, param) =>
  db
    .updateTable("deliveries")
    .set((eb) => ({
      status: sql.lit("DELIVERED" as const),
      due_at: null,
      claimed: 0,
      ends: 0,
      claim: eb("claim", "+", 1),
      last_status: null,
      last_reason: null,
    }))
    .where("delivery_id", "=", param("deliveryId"))
    .where("round", "=", param("round"))
    .where("status", "in", [sql.lit("PENDING" as const), sql.lit("RETRYING" as const)])
    .where("due_at", "is not", null),
);

/** An acknowledgement that came after its time. */
export interface LateAck {
  deliveryId: number;
  /** Of the frame: a delivery that was redelivered since is not settled by it. */
  round: number;
  appId: string;
  eventType: EventType;
}

/** Settles a delivery that is not settled otherwise; who holds it reports in vain. Returns whether it was settled. */
export async function settleLate(tx: Db, { deliveryId, round, appId, eventType }: LateAck): Promise<boolean> {
  if ((await settle.affected(tx, { deliveryId, round })) !== 1) return false;
  await countAttempts(tx, appId, [{ eventType, success: true }], { areReset: false });
  return true;
}
