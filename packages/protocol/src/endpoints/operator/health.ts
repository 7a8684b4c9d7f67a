import { HealthSchema } from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

/** How the service fares. */
export const OPERATOR_HEALTH_ENDPOINTS = {
  getHealth: {
    method: "GET",
    path: "/api/open/console/v1/operator/health",
    summary: "Read how the service fares: processes, stores, deliveries, calls",
    access: "operator",
    value: HealthSchema,
    errors: [],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
