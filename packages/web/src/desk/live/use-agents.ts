import type { AgentState } from "@portico/protocol";
import type { DeskAgentAnswer } from "@portico/protocol/schemas";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { deskApi } from "./desk-api.ts";
import { useDesk } from "./use-desk.ts";

const agentsOf = (appId: string) => ["agents", appId];

/** The agents of an application, those who were online first when they were read. */
export function useAgents(appId: string) {
  return useQuery({
    queryKey: agentsOf(appId),
    queryFn: async ({ signal }) => {
      const { items } = await deskApi.listAgents({ params: { appId } }, { signal });
      return items.toSorted(byPresence);
    },
    staleTime: 30_000,
  });
}

/** Keeps the agents as the stream tells of them. */
export function useAgentNews(): void {
  const desk = useDesk();
  const queries = useQueryClient();
  useEffect(
    () =>
      desk.onAgent((appId, agent) => {
        const queryKey = agentsOf(appId);
        const known = queries.getQueryData<DeskAgentAnswer[]>(queryKey);
        if (known === undefined) return;
        const isKnown = known.some(({ agentId }) => agentId === agent.agentId);
        // What is being read may be older than this.
        if (!isKnown || queries.isFetching({ queryKey }) > 0) void queries.invalidateQueries({ queryKey });
        // In their places: nobody who is about to be pressed moves.
        queries.setQueryData(queryKey, withAgent(known, agent));
      }),
    [desk, queries],
  );
}

/** The list with one agent as they are now. */
function withAgent(agents: readonly DeskAgentAnswer[], { agentId, ...now }: AgentState): DeskAgentAnswer[] {
  return agents.map((each) => (each.agentId === agentId ? { ...each, ...now } : each));
}

function byPresence(a: DeskAgentAnswer, b: DeskAgentAnswer): number {
  return Number(b.online) - Number(a.online) || a.agentName.localeCompare(b.agentName);
}
