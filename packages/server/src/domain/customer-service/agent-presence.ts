import type { AgentStatus } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { type DeskAgent, deleteAgent, findAgentByUserId, toAgentState } from "./agent-store.ts";
import type { Desk } from "./desk.ts";
import { type AgentKey, markAbsent, markPresent, setAgentStatus, setMaxSessions } from "./presence-store.ts";

/**
 * An agent's status and presence are separate: the status changes only by the agent's choice, and arrival and departure
 * are announced only for agents whose status is ONLINE.
 */

/** An absent agent has sent a heartbeat. Does nothing for a member who is no agent. */
export async function recordArrival(desk: Desk, tx: Db, key: AgentKey, now: number): Promise<void> {
  await desk.lock();
  const agent = await findAgentByUserId(tx, key.appId, key.userId);
  if (agent === null) return;
  await markPresent(tx, key, now);
  if (agent.status !== "ONLINE") return;
  if (!agent.present) await desk.agentChanged(toAgentState({ ...agent, heartbeatAt: now }, now), agent.status);
  await desk.drain();
}

/** An agent's heartbeat is overdue. Does nothing if one has arrived meanwhile. */
export async function recordAbsence(desk: Desk, tx: Db, key: AgentKey, now: number): Promise<void> {
  await desk.lock();
  if (!(await markAbsent(tx, key, now))) return;
  const agent = await findAgentByUserId(tx, key.appId, key.userId);
  if (agent?.status === "ONLINE") await desk.agentChanged(toAgentState(agent, now), agent.status);
}

/** An agent chooses a status. Presence does not change. */
export async function changeStatus(
  desk: Desk,
  tx: Db,
  key: AgentKey,
  { agent, status, now }: { agent: DeskAgent; status: AgentStatus; now: number },
): Promise<DeskAgent> {
  const chosen = { ...agent, status };
  if (status === agent.status) return agent;
  await setAgentStatus(tx, key, status);
  await desk.agentChanged(toAgentState(chosen, now), agent.status);
  if (status === "ONLINE") await desk.drain();
  return chosen;
}

/** Sets the maximum of concurrent sessions; an agent who has more keeps them. */
export async function changeMaxSessions(desk: Desk, tx: Db, key: AgentKey, maxSessions: number): Promise<void> {
  await desk.lock();
  await setMaxSessions(tx, key, maxSessions);
  await desk.drain();
}

/** Removes an agent; their sessions go back to the queue. */
export async function dismissAgent(
  desk: Desk,
  tx: Db,
  { appId, agent, now }: { appId: string; agent: DeskAgent; now: number },
): Promise<void> {
  await desk.lock();
  await deleteAgent(tx, appId, agent.userId);
  await desk.requeueAllOf(agent.userId);
  if (!toAgentState(agent, now).online) return;
  await desk.agentChanged({ ...toAgentState(agent, now), status: "OFFLINE", online: false }, agent.status);
}
