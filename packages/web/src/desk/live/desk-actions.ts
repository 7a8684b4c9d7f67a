import { ApiRefusedError } from "@portico/protocol/client";
import type { DeskSession } from "@portico/protocol/schemas";
import { readConversationId } from "./conversation.ts";
import { deskApi } from "./desk-api.ts";
import type { DeskState } from "./desk-state.ts";

type Params = { appId: string; sessionId: string };

/** What became of a conversation that the agent wanted from the queue: their own, or as it is now instead. */
export type Accepted = { kind: "own" } | { kind: "taken"; agentId: string | null } | { kind: "closed" };

/** What is told of actions. */
interface ActionEvents {
  /** There is something new to be drawn. */
  onChange(): void;
  /** An action has failed: what the page shows may be old. */
  onFailure(): void;
  /** What was answered may be older than what has been taken of the conversation meanwhile. `isOwn` where it is the agent's by it. */
  onDoubt(id: string, isOwn: boolean): void;
  /** Has the state take what the stream has told so far. */
  takeFrames(): void;
}

/** What an agent does with conversations. Each rejects as its call does. */
export class DeskActions {
  readonly #state: DeskState;
  readonly #events: ActionEvents;

  constructor(state: DeskState, events: ActionEvents) {
    this.#state = state;
    this.#events = events;
  }

  /**
   * Takes a conversation from the queue. A refusal does not say why: the conversation was another agent's before, or closed,
   * or it is one's own since a try whose answer was lost. So it is read then, and that decides.
   */
  async accept(id: string): Promise<Accepted> {
    try {
      await this.#change(id, (params) => deskApi.acceptSession({ params }));
      return { kind: "own" };
    } catch (error) {
      if (!(error instanceof ApiRefusedError) || error.httpStatus !== 409) throw error;
      const { status, agentId } = await this.read(id);
      if (status === "QUEUED") throw error;
      if (status === "CLOSED") return { kind: "closed" };
      return agentId === this.#state.username ? { kind: "own" } : { kind: "taken", agentId };
    }
  }

  /** Gives a conversation to another agent. */
  async transfer(id: string, agentId: string, note: string): Promise<void> {
    const body = { agentId, ...(note !== "" && { note }) };
    await this.#change(id, (params) => deskApi.transferSession({ params, body }));
  }

  /** Ends a conversation for good. */
  async close(id: string, reason: string): Promise<void> {
    const body = reason === "" ? {} : { reason };
    await this.#change(id, (params) => deskApi.closeSession({ params, body }));
  }

  /** Reads a conversation that is in no list. */
  async read(id: string): Promise<DeskSession> {
    const session = await this.#taken(id, (params) => deskApi.getSession({ params }));
    this.#events.onChange();
    return session;
  }

  /** Chooses in all applications whether conversations are given to the agent. */
  async setOnline(isOnline: boolean): Promise<void> {
    const body = { status: isOnline ? "ONLINE" : "OFFLINE" } as const;
    const choose = async ({ appId }: { appId: string }) => {
      this.#state.takeAgent(appId, await deskApi.chooseStatus({ params: { appId }, body }));
    };
    await this.#run(() => Promise.all((this.#state.apps ?? []).map(choose)));
  }

  async #change(id: string, call: (params: Params) => Promise<DeskSession>): Promise<void> {
    this.#state.changing.add(id);
    try {
      await this.#run(() => this.#taken(id, call));
    } finally {
      this.#state.changing.delete(id);
    }
  }

  /** Takes what is answered. */
  async #taken(id: string, call: (params: Params) => Promise<DeskSession>): Promise<DeskSession> {
    const params = paramsOf(id);
    const end = this.#state.book.await(id);
    try {
      const session = await call(params);
      this.#events.takeFrames();
      const isOvertaken = end();
      const told = this.#state.book.get(id)?.session;
      const now = this.#state.take(params.appId, session);
      // An action's own frame, which comes before its answer or after it, is no reason to read.
      const isAsTold = told?.status === session.status && told.agentId === session.agentId;
      if (isOvertaken && !isAsTold) this.#events.onDoubt(id, this.#state.book.isOwn(now));
      return session;
    } finally {
      end();
    }
  }

  async #run(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#events.onFailure();
      throw error;
    } finally {
      this.#events.onChange();
    }
  }
}

function paramsOf(id: string): Params {
  const params = readConversationId(id);
  if (params === null) throw new RangeError(`${id} names no conversation`);
  return params;
}
