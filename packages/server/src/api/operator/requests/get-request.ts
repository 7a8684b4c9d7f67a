import { RequestExplanationSchema } from "@portico/protocol/schemas";
import { explain } from "../../../domain/requests/explanation.ts";
import { findRequest } from "../../../domain/requests/request-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/requests/{reqNo}: a call of any application, and of those that there are not. */
export const readAnyRequest: ConsoleRoute<never, never, typeof RequestExplanationSchema> = {
  method: "GET",
  url: "/operator/requests/:reqNo",
  summary: "Explain what became of a signed call of any application",
  access: "operator",
  value: RequestExplanationSchema,
  async handle({ requestLog, storage }, { params }) {
    await requestLog.flush();
    const record = await findRequest(storage.db, params.reqNo ?? "");
    if (record === null) throw new ConsoleError("REQUEST_NOT_FOUND");
    return explain(record);
  },
};
