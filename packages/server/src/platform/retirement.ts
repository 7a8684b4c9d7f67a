/** Whether this process accepts work. A process that has retired never accepts work again. */
export class Retirement {
  #reason: string | null = null;
  readonly #listeners: ((reason: string) => void)[] = [];

  /** Why it accepts no more work, in words for the operator; null while it accepts work. */
  get reason(): string | null {
    return this.#reason;
  }

  begin(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    for (const listener of this.#listeners) listener(reason);
  }

  /** Calls `listener` once when the process retires; immediately if it has retired already. */
  onBegin(listener: (reason: string) => void): void {
    if (this.#reason === null) this.#listeners.push(listener);
    else listener(this.#reason);
  }
}
