import { MiniappSessionBodySchema, MiniappSessionSchema } from "../../schemas/miniapp.ts";
import type { OpenEndpoint } from "./access.ts";

/** The calls of a mini-program's server (docs/contract/mini-programs.md). */
export const MINIAPP_ENDPOINTS = {
  openMiniappSession: {
    method: "POST",
    path: "/api/open/v2/miniapp/session",
    summary: "Exchange a mini-program login code for a session",
    access: { scope: null },
    body: MiniappSessionBodySchema,
    value: MiniappSessionSchema,
    errors: ["LOGIN_CODE_UNUSABLE"],
  },
} as const satisfies Record<string, OpenEndpoint>;
