import type { DeskAgentAnswer } from "@portico/protocol/schemas";
import { useQuery } from "@tanstack/react-query";
import { deskApi } from "./desk-api.ts";

/** The agents of an application, those who are online first. */
export function useAgents(appId: string) {
  return useQuery({
    queryKey: ["agents", appId],
    queryFn: async ({ signal }) => {
      const { items } = await deskApi.listAgents({ params: { appId } }, { signal });
      return items.toSorted(byPresence);
    },
    staleTime: 30_000,
  });
}

function byPresence(a: DeskAgentAnswer, b: DeskAgentAnswer): number {
  return Number(b.online) - Number(a.online) || a.agentName.localeCompare(b.agentName);
}
