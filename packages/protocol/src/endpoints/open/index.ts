import type { OpenEndpoint } from "./access.ts";
import { BOT_ENDPOINTS } from "./bot.ts";
import { CUSTOMER_ENDPOINTS } from "./customer-service.ts";
import { MINIAPP_ENDPOINTS } from "./mini-programs.ts";

export type { OpenAccess, OpenEndpoint } from "./access.ts";

/** All calls of the open API, by operation name. */
export const OPEN_ENDPOINTS = {
  ...BOT_ENDPOINTS,
  ...CUSTOMER_ENDPOINTS,
  ...MINIAPP_ENDPOINTS,
} as const satisfies Record<string, OpenEndpoint>;
