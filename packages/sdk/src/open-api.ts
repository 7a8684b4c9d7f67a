import { type ApiClient, createApiClient } from "@portico/protocol/client";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { Caller, CallOptions } from "./caller.ts";

/** A method for each call of the open API. */
export type OpenApi = ApiClient<typeof OPEN_ENDPOINTS, CallOptions>;

/** The calls of the open API, signed and retried by `caller`. */
export function openApi(caller: Caller): OpenApi {
  return createApiClient(OPEN_ENDPOINTS, (call, options) => caller.call(call, options));
}
