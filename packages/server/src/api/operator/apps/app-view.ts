import type { OperatorAppSchema } from "@portico/protocol/schemas";
import type { Static } from "typebox";
import { operatorViewOf } from "../../../domain/applications/app-views.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { requireAppRow } from "../../common/console/require-app.ts";

/** The application as operators see it. @throws ConsoleError 404 when there is none. */
export async function viewOperatorApp(db: Db, appId: string): Promise<Static<typeof OperatorAppSchema>> {
  return operatorViewOf(await requireAppRow(db, appId));
}
