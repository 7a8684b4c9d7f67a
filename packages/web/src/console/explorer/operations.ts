import type { AppType } from "@portico/protocol";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { OperationName } from "../../shared/calls/snippets/snippet-call.ts";

const NAMES = Object.keys(OPEN_ENDPOINTS) as OperationName[];

/** The calls, by the kind of application that they are for. */
export const OPERATIONS = [
  { word: "bot", type: "BOT", names: namesBelow("/api/open/v2/bot/") },
  { word: "customerService", type: "CUSTOMER_SERVICE", names: namesBelow("/api/open/v1/") },
  { word: "miniProgram", type: "MINI_PROGRAM", names: namesBelow("/api/open/v2/miniapp/") },
] as const;

/** The call that a text names; else the first for this type of application. */
export function operationOf(text: string | null, type: AppType): OperationName {
  const first = OPERATIONS.find((group) => group.type === type)?.names[0] ?? "sendMessage";
  return NAMES.find((name) => name === text) ?? first;
}

function namesBelow(prefix: string): OperationName[] {
  return NAMES.filter((name) => OPEN_ENDPOINTS[name].path.startsWith(prefix));
}
