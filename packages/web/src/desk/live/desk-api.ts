import { createApiClient } from "@portico/protocol/client";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberExchange } from "../../shared/session/member.ts";
import { clockedFetch } from "./service-clock.ts";

/** The desk's API, as the member who is signed in. */
export const deskApi = createApiClient(DESK_ENDPOINTS, memberExchange({ fetch: clockedFetch }));
