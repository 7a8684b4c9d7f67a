import { CONSOLE_ENDPOINTS, OPERATOR_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { getOf } from "../beside/bearer-requests.ts";
import type { ReadWork, Works } from "../beside/work.ts";
import { isOk } from "../load/answer.ts";
import { inTurn, type Sender } from "../load/signed-requests.ts";
import { DEVELOPERS, developerTokenOf, eventIdOf, ROWS, reqNoOf, TENANT } from "./fill-console.ts";

const PROMISED = 0.5;

/** What developers and operators look at; `now` is that of the filling. */
export function consoleWorks({ appId }: Sender, now: number): Works {
  const app = { appId };
  const delivery = pathOf(CONSOLE_ENDPOINTS.getDelivery, { appId, eventId: eventIdOf(ROWS / 2) });
  const request = pathOf(CONSOLE_ENDPOINTS.getRequest, { appId, reqNo: reqNoOf(ROWS / 2, now) });
  return {
    sends: [],
    reads: [
      read("applications", CONSOLE_ENDPOINTS.listApps.path),
      read("an application", pathOf(CONSOLE_ENDPOINTS.getApp, app)),
      read("deliveries", pathOf(CONSOLE_ENDPOINTS.listDeliveries, app)),
      read("a delivery", delivery),
      read("requests", pathOf(CONSOLE_ENDPOINTS.listRequests, app)),
      read("requests that were refused", `${pathOf(CONSOLE_ENDPOINTS.listRequests, app)}?status=4xx`),
      read("a request", request),
      read("installations", pathOf(CONSOLE_ENDPOINTS.listInstallations, app)),
      read("subscriptions", pathOf(CONSOLE_ENDPOINTS.listSubscriptions, app)),
      read("stats of a day", pathOf(CONSOLE_ENDPOINTS.getStats, app)),
      read("audit", pathOf(CONSOLE_ENDPOINTS.listAudit, app)),
      read("operator, members", OPERATOR_ENDPOINTS.listMembers.path),
      read("operator, members found", `${OPERATOR_ENDPOINTS.listMembers.path}?keyword=listed_77`),
      read("operator, applications", OPERATOR_ENDPOINTS.listApps.path),
    ],
    secret: "",
    succeeds: isOk,
  };
}

function read(name: string, target: string): ReadWork {
  const tenant = [`X-Open-Tenant-Id: ${TENANT}`];
  const requests = Array.from({ length: DEVELOPERS }, (_, index) => getOf(target, developerTokenOf(index), tenant));
  return { name, promised: PROMISED, target, requests: (count) => inTurn(requests, count) };
}
