import { RequestListSchema, RequestsQuerySchema } from "@portico/protocol/schemas";
import { listRequests } from "../../../domain/requests/request-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/requests: the request log of the application, newest first. */
export const readRequests: ConsoleRoute<never, typeof RequestsQuerySchema, typeof RequestListSchema> = {
  method: "GET",
  url: "/apps/:appId/requests",
  summary: "List an application's signed calls",
  access: "viewer",
  query: RequestsQuerySchema,
  value: RequestListSchema,
  async handle({ requestLog, storage }, { app, query }) {
    await requestLog.flush();
    return await listRequests(storage.lists, app.appId, query);
  },
};
