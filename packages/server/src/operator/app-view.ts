import type { OperatorAppSchema } from "@portico/protocol/schemas";
import type { Static } from "typebox";
import { operatorViewOf } from "../applications/app-views.ts";
import { knownAppRow } from "../console/known-app.ts";
import type { Db } from "../storage/schema.ts";

/** The application as operators see it. @throws ConsoleError 404 when there is none. */
export async function viewOperatorApp(db: Db, appId: string): Promise<Static<typeof OperatorAppSchema>> {
  return operatorViewOf(await knownAppRow(db, appId));
}
