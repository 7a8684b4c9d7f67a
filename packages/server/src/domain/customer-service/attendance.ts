import type { AgentStatus } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { type DeskAgent, deleteAgent, findAgentByUserId, toAgentState } from "./agent-store.ts";
import { noteAbsent, noteThere, type Seat, setAgentStatus, setMaxSessions } from "./attendance-store.ts";
import type { Desk } from "./desk.ts";

/**
 * An agent's status and presence are separate: the status changes only by the agent's choice, and arrival and departure
 * are announced only for agents whose status is ONLINE.
 */

/** An absent agent has sent a heartbeat. Does nothing for a member who is no agent. */
export async function arrive(desk: Desk, tx: Db, seat: Seat, now: number): Promise<void> {
  await desk.lock();
  const agent = await findAgentByUserId(tx, seat.appId, seat.userId);
  if (agent === null) return;
  await noteThere(tx, seat, now);
  if (agent.status !== "ONLINE") return;
  if (!agent.present) await desk.agentChanged(toAgentState({ ...agent, heartbeatAt: now }, now), agent.status);
  await desk.drain();
}

/** An agent's heartbeat is overdue. Does nothing if one has arrived meanwhile. */
export async function miss(desk: Desk, tx: Db, seat: Seat, now: number): Promise<void> {
  await desk.lock();
  if (!(await noteAbsent(tx, seat, now))) return;
  const agent = await findAgentByUserId(tx, seat.appId, seat.userId);
  if (agent?.status === "ONLINE") await desk.agentChanged(toAgentState(agent, now), agent.status);
}

/** An agent chooses a status. Presence does not change. */
export async function chooseStatus(
  desk: Desk,
  tx: Db,
  seat: Seat,
  { agent, status, now }: { agent: DeskAgent; status: AgentStatus; now: number },
): Promise<DeskAgent> {
  const chosen = { ...agent, status };
  if (status === agent.status) return agent;
  await setAgentStatus(tx, seat, status);
  await desk.agentChanged(toAgentState(chosen, now), agent.status);
  if (status === "ONLINE") await desk.drain();
  return chosen;
}

/** Sets the maximum of concurrent sessions; an agent who has more keeps them. */
export async function changeCap(desk: Desk, tx: Db, seat: Seat, maxSessions: number): Promise<void> {
  await desk.lock();
  await setMaxSessions(tx, seat, maxSessions);
  await desk.drain();
}

/** Removes an agent; their sessions go back to the queue. */
export async function leave(
  desk: Desk,
  tx: Db,
  { appId, agent, now }: { appId: string; agent: DeskAgent; now: number },
): Promise<void> {
  await desk.lock();
  await deleteAgent(tx, appId, agent.userId);
  await desk.giveBackAll(agent.userId);
  if (!toAgentState(agent, now).online) return;
  await desk.agentChanged({ ...toAgentState(agent, now), status: "OFFLINE", online: false }, agent.status);
}
