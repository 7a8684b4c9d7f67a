import { dismissAgent } from "../../customer-service/agent-presence.ts";
import { findAgentByUserId, insertAgent, listAgentIds } from "../../customer-service/agent-store.ts";
import { Desk } from "../../customer-service/desk.ts";
import { keyOf } from "../entities.ts";
import type { AppPlace } from "./app-place.ts";
import { listChangesOf } from "./lists.ts";
import { membersOf } from "./named.ts";

export async function provisionAgents(place: AppPlace): Promise<void> {
  const { run, applied, app, appId, tenantId, path } = place;
  if (app.agents === undefined) return;
  const members = await membersOf(run, applied, {
    name: "agents",
    tenantId,
    accounts: app.agents,
    pathOf: (index) => `${path}.agents[${index}]`,
  });
  const given = members.filter((userId) => userId !== null);
  const { added, removed } = await listChangesOf(run, applied, {
    name: "agents",
    given,
    entityOf: keyOf.member,
    present: async () => {
      await place.lock();
      return await listAgentIds(run.tx, appId);
    },
  });
  for (const userId of added) await addAgent(place, userId);
  for (const userId of removed) await removeAgent(place, userId);
  const changed = [...added, ...removed];
  if (changed.length > 0) run.afterCommit(() => run.ctx.deskLive.agentsChanged(appId, changed));
}

async function addAgent(place: AppPlace, userId: string): Promise<void> {
  const { run, appId } = place;
  await insertAgent(run.tx, appId, userId);
  const agent = await findAgentByUserId(run.tx, appId, userId);
  if (agent === null) throw new Error("the agent who was just added is not there");
  const after = { agentId: agent.agentId, name: agent.agentName, maxSessions: agent.maxSessions };
  await place.audit({ action: "agent.add", target: `agent:${userId}`, before: null, after });
}

/** The agent's sessions go back to the queue, as when an agent is removed in the console. */
async function removeAgent(place: AppPlace, userId: string): Promise<void> {
  const { run, appId } = place;
  const { now } = run;
  const agent = await findAgentByUserId(run.tx, appId, userId);
  if (agent === null) return;
  const desk = new Desk(run.ctx, run.tx, { appId, now, afterCommit: (effect) => run.afterCommit(effect) });
  await dismissAgent(desk, run.tx, { appId, agent, now });
  const before = { agentId: agent.agentId, name: agent.agentName, maxSessions: agent.maxSessions };
  await place.audit({ action: "agent.remove", target: `agent:${userId}`, before, after: null });
}
