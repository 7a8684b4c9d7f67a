import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { explain } from "../../../domain/requests/explanation.ts";
import { findRequest } from "../../../domain/requests/request-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { RequestLogParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/requests/{reqNo}: a call of the application, with the reason if it was refused. */
export const getRequest: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getRequest, RequestLogParts> = {
  endpoint: CONSOLE_ENDPOINTS.getRequest,
  async handle({ requestLog, storage }, { app, params }) {
    await requestLog.flush();
    const record = await findRequest(storage.db, params.reqNo);
    if (record?.appId !== app.appId) throw new ConsoleError("REQUEST_NOT_FOUND");
    return explain(record);
  },
};
