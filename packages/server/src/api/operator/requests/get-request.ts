import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { explain } from "../../../domain/requests/explanation.ts";
import { findRequest } from "../../../domain/requests/request-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { RequestLogParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/requests/{reqNo}: a call of any application, including unknown ones. */
export const getRequest: ConsoleRoute<typeof OPERATOR_ENDPOINTS.getRequest, RequestLogParts> = {
  endpoint: OPERATOR_ENDPOINTS.getRequest,
  async handle({ requestLog, storage }, { params }) {
    await requestLog.flush();
    const record = await findRequest(storage.db, params.reqNo);
    if (record === null) throw new ConsoleError("REQUEST_NOT_FOUND");
    return explain(record);
  },
};
