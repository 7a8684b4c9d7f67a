import { ArmRehearsalBodySchema, RehearsalStateSchema } from "../../schemas/index.ts";
import { type ConsoleEndpoint, NO_CONTENT } from "../console-endpoint.ts";

/** Faults that an application's owner rehearses (docs/contract/console.md#rehearsing-faults). */
export const REHEARSAL_ENDPOINTS = {
  getRehearsal: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/rehearsal",
    summary: "Read which fault an application rehearses",
    access: "viewer",
    value: RehearsalStateSchema,
    errors: [],
  },
  armRehearsal: {
    method: "PUT",
    path: "/api/open/console/v1/apps/:appId/rehearsal",
    summary: "Have an application's next calls or deliveries fail as told, in the test environment",
    access: "owner",
    body: ArmRehearsalBodySchema,
    value: RehearsalStateSchema,
    errors: ["REHEARSAL_IN_PRODUCTION"],
  },
  endRehearsal: {
    method: "DELETE",
    path: "/api/open/console/v1/apps/:appId/rehearsal",
    summary: "End an application's rehearsal",
    access: "owner",
    value: NO_CONTENT,
    errors: [],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
