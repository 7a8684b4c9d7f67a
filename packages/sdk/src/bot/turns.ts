/** Runs what has the same key one after another, and the rest at the same time. */
export class Turns {
  readonly #lastByKey = new Map<string, Promise<unknown>>();

  /** Runs an action after those of its key that were given before, whether they failed or not. */
  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#lastByKey.get(key);
    const running = before === undefined ? action() : before.then(action, action);
    this.#lastByKey.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#lastByKey.get(key) === running) this.#lastByKey.delete(key);
    }
  }
}
