import { useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { type AppDetail, appKey } from "../app/app-queries.ts";

/** Calls by which an application does what it is for. */
const FIRST_CALLS = {
  BOT: "/api/open/v2/bot/messages",
  CUSTOMER_SERVICE: "/api/open/v1/",
  MINI_PROGRAM: "/api/open/v2/miniapp/",
};

/** What the first steps of an application have left behind. */
export interface Progress {
  isSubscribed: boolean;
  isInstalled: boolean;
  hasAgents: boolean;
  hasCalled: boolean;
}

/** Asks how far an application has come, of what the application itself does not tell. */
export function useProgressQuery({ appId, type, tenantId }: AppDetail) {
  return useQuery({
    queryKey: [...appKey(appId), "progress"],
    queryFn: async ({ signal }): Promise<Progress> => {
      const params = { appId };
      const options = { signal, tenantId };
      const [subscriptions, installations, agents, calls] = await Promise.all([
        type === "MINI_PROGRAM" ? [] : consoleApi.listSubscriptions({ params }, options),
        type === "BOT"
          ? consoleApi.listInstallations({ params, query: { status: "ACTIVE", pageSize: 1 } }, options)
          : { total: 0 },
        type === "CUSTOMER_SERVICE" ? consoleApi.listAgents({ params }, options) : [],
        consoleApi.listRequests({ params, query: { path: FIRST_CALLS[type], status: "2xx", limit: 1 } }, options),
      ]);
      return {
        isSubscribed: subscriptions.length > 0,
        isInstalled: installations.total > 0,
        hasAgents: agents.length > 0,
        hasCalled: calls.items.length > 0,
      };
    },
  });
}
