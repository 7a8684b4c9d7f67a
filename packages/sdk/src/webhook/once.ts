import type { EventDeduplication } from "./deduplication.ts";

/** What became of an event: handled now or before, or being handled by another process. */
export type Handling = "handled" | "duplicate" | "busy";

/** Has each event handled once, however often it comes. */
export class Once {
  readonly #deduplication: EventDeduplication;
  readonly #report: (error: unknown) => void;
  /** Events being handled now. One that comes again meanwhile waits, and has the same end. */
  readonly #underWay = new Map<string, Promise<Handling>>();

  /** @param report gets the errors of the deduplication that change nothing about the event. */
  constructor(deduplication: EventDeduplication, report: (error: unknown) => void) {
    this.#deduplication = deduplication;
    this.#report = report;
  }

  /** Handles an event, unless that was done before. @throws the error of `handle`; the event can then come again. */
  async run(eventId: string, handle: () => unknown): Promise<Handling> {
    const waiting = this.#underWay.get(eventId);
    if (waiting !== undefined) return await waiting;
    const handling = this.#handle(eventId, handle);
    this.#underWay.set(eventId, handling);
    try {
      return await handling;
    } finally {
      this.#underWay.delete(eventId);
    }
  }

  /**
   * An event that is busy in another process is refused for now: if handling failed there after an acknowledgement here,
   * it would be lost.
   */
  async #handle(eventId: string, handle: () => unknown): Promise<Handling> {
    const claim = await this.#deduplication.claim(eventId);
    if (claim !== "new") return claim === "done" ? "duplicate" : "busy";
    try {
      await handle();
    } catch (error) {
      await this.#attempt(() => this.#deduplication.release(eventId));
      throw error;
    }
    await this.#attempt(() => this.#deduplication.finish(eventId));
    return "handled";
  }

  /** Runs an action whose failure must not change what became of the event. */
  async #attempt(action: () => unknown): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#report(error);
    }
  }
}
