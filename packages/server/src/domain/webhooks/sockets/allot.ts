/** A delivery that is due. */
export interface Candidate {
  deliveryId: number;
  conversation: string | null;
  /** The connection to which its conversation goes; null when there is none yet, or it has ended. */
  boundTo: string | null;
  /** The connection that gets it only if there is no other. */
  avoid: string | null;
  /** The connections that get its type, at all processes. */
  connections: readonly string[];
}

/** What is given to whom. */
export interface Allotment {
  /** Deliveries for connections of this process, in the order of sending. */
  taken: { deliveryId: number; connectionId: string }[];
  /** Conversations that have got a connection. */
  bindings: { conversation: string; connectionId: string }[];
  /** Whether some of them go to connections of other processes, which do not know it yet. */
  isOthers: boolean;
  /** Whether some wait for room. */
  isLeft: boolean;
}

/**
 * Gives deliveries to connections. Those of a conversation go to one connection, in their order: none before an earlier
 * one that has to wait. A new conversation goes to any connection at another process, or one here that has room; `pick`
 * chooses, as evenly as it can. It is not bound to a connection that it should avoid, so that one that comes later gets it.
 *
 * @param rooms how many more deliveries each connection of this process can take.
 */
export function allot(
  candidates: readonly Candidate[],
  { rooms, limit, pick }: { rooms: ReadonlyMap<string, number>; limit: number; pick: (count: number) => number },
): Allotment {
  const left = new Map(rooms);
  const bound = new Map<string, string>();
  const allotment: Allotment = { taken: [], bindings: [], isOthers: false, isLeft: false };
  const held = new Set<string>();
  for (const { deliveryId, conversation, boundTo, avoid, connections } of candidates) {
    if (conversation !== null && held.has(conversation)) continue;
    const known = conversation === null ? null : (bound.get(conversation) ?? boundTo);
    const isBound = known !== null && connections.includes(known);
    // Without an order to keep, what another process would have to be asked for goes to a connection here.
    const others = connections.filter((id) => id !== avoid);
    const open = (others.length > 0 ? others : connections).filter((id) =>
      left.has(id) ? (left.get(id) ?? 0) > 0 : conversation !== null,
    );
    const connectionId = isBound ? known : open[pick(open.length)];
    if (connectionId !== undefined && connectionId !== avoid && conversation !== null && !isBound) {
      bound.set(conversation, connectionId);
      allotment.bindings.push({ conversation, connectionId });
      if (!left.has(connectionId)) allotment.isOthers = true;
    }
    const room = connectionId === undefined ? 0 : left.get(connectionId);
    if (connectionId === undefined || room === undefined || room <= 0 || allotment.taken.length >= limit) {
      if (room !== undefined) allotment.isLeft = true;
      if (conversation !== null) held.add(conversation);
      continue;
    }
    left.set(connectionId, room - 1);
    allotment.taken.push({ deliveryId, connectionId });
  }
  return allotment;
}
