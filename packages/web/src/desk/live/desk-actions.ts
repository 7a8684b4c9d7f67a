import type { DeskSession } from "@portico/protocol/schemas";
import { readConversationId } from "./conversation.ts";
import { deskApi } from "./desk-api.ts";
import type { DeskState } from "./desk-state.ts";

type Params = { appId: string; sessionId: string };

/** What an agent does with conversations. Each rejects as its call does, and has the lists read anew when it does. */
export class DeskActions {
  readonly #state: DeskState;
  readonly #onChange: () => void;
  readonly #onDrawn: () => void;

  /**
   * @param onChange called when something has changed, or what the page shows seems to be old.
   * @param onDrawn called when something is to be drawn that changes no list.
   */
  constructor(state: DeskState, { onChange, onDrawn }: { onChange: () => void; onDrawn: () => void }) {
    this.#state = state;
    this.#onChange = onChange;
    this.#onDrawn = onDrawn;
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

  /** Reads a conversation that is in no list, or is not known to be as it was. `isNews` where the agent is to be told of it. */
  async read(id: string, isNews = false): Promise<void> {
    const params = readConversationId(id);
    if (params === null) return;
    this.#state.take(params.appId, await deskApi.getSession({ params }), isNews);
    this.#onDrawn();
  }

  /** Chooses in all applications whether conversations are given to the agent. */
  async setOnline(isOnline: boolean): Promise<void> {
    const body = { status: isOnline ? "ONLINE" : "OFFLINE" } as const;
    try {
      const choose = async ({ appId }: { appId: string }) => {
        this.#state.takeAgent(appId, await deskApi.chooseStatus({ params: { appId }, body }));
      };
      await Promise.all((this.#state.apps ?? []).map(choose));
    } finally {
      this.#onChange();
    }
  }

  async #change(id: string, call: (params: Params) => Promise<DeskSession>): Promise<void> {
    const params = readConversationId(id);
    if (params === null) throw new RangeError(`${id} names no conversation`);
    this.#state.changing.add(id);
    try {
      this.#state.take(params.appId, await call(params));
    } finally {
      this.#state.changing.delete(id);
      this.#onChange();
    }
  }
}
