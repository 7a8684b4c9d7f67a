import type { DeskSession } from "@portico/protocol/schemas";
import { readConversationId } from "./conversation.ts";
import { deskApi } from "./desk-api.ts";
import type { DeskState } from "./desk-state.ts";

type Params = { appId: string; sessionId: string };

/** What is told of actions. */
interface ActionEvents {
  /** There is something new to be drawn. */
  onChange(): void;
  /** An action has failed: what the page shows may be old. */
  onFailure(): void;
}

/** What an agent does with conversations. Each rejects as its call does. */
export class DeskActions {
  readonly #state: DeskState;
  readonly #events: ActionEvents;

  constructor(state: DeskState, events: ActionEvents) {
    this.#state = state;
    this.#events = events;
  }

  /** Takes a conversation from the queue. */
  async accept(id: string): Promise<void> {
    await this.#change(id, (params) => deskApi.acceptSession({ params }));
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
  async read(id: string): Promise<void> {
    const params = paramsOf(id);
    this.#state.take(params.appId, await deskApi.getSession({ params }));
    this.#events.onChange();
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
    const params = paramsOf(id);
    this.#state.changing.add(id);
    try {
      await this.#run(async () => this.#state.take(params.appId, await call(params)));
    } finally {
      this.#state.changing.delete(id);
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
