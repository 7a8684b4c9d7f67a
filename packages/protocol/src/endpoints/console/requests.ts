import {
  RequestExplanationSchema,
  RequestListSchema,
  RequestsQuerySchema,
  StatsQuerySchema,
  StatsSchema,
} from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

/** The log of an application's signed calls, and its statistics. */
export const REQUEST_ENDPOINTS = {
  listRequests: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/requests",
    summary: "List an application's signed calls",
    access: "viewer",
    query: RequestsQuerySchema,
    value: RequestListSchema,
    errors: [],
  },
  getRequest: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/requests/:reqNo",
    summary: "Explain what became of a signed call",
    access: "viewer",
    value: RequestExplanationSchema,
    errors: ["REQUEST_NOT_FOUND"],
  },
  getStats: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/stats",
    summary: "Count an application's calls, errors and deliveries over time",
    access: "viewer",
    query: StatsQuerySchema,
    value: StatsSchema,
    errors: ["RANGE_REVERSED", "STATS_RANGE_TOO_LONG", "DEVELOPER_BUSY"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
