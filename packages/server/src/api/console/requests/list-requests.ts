import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listRequests as list } from "../../../domain/requests/request-store.ts";
import type { RequestLogParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/requests: the request log of the application, newest first. */
export const listRequests: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listRequests, RequestLogParts> = {
  endpoint: CONSOLE_ENDPOINTS.listRequests,
  async handle({ requestLog, storage }, { app, query }) {
    await requestLog.flush();
    return await list(storage.lists, app.appId, query);
  },
};
