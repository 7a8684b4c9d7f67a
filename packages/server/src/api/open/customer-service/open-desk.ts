import { Desk, type DeskListeners } from "../../../domain/customer-service/desk.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Call } from "../gate/open-route.ts";

/** The default `source` of sessions opened by the open API. */
export const API_SOURCE = "api";

/** The desk of the calling application, in the transaction of the call. */
export function deskOf<Seen>(ctx: DeskListeners, tx: Db, call: Call<unknown, unknown, Seen>): Desk {
  const { app, now, afterCommit } = call;
  return new Desk(ctx, tx, { appId: app.appId, now, afterCommit });
}
