/** Whether this process still takes work. One that has retired stays so until it ends. */
export class Retirement {
  #reason: string | null = null;
  readonly #listeners: ((reason: string) => void)[] = [];

  /** Why it takes no more work, in words for the operator; null while it does. */
  get reason(): string | null {
    return this.#reason;
  }

  begin(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    for (const listener of this.#listeners) listener(reason);
  }

  /** Has `listener` told once, at once where it has begun. */
  onBegin(listener: (reason: string) => void): void {
    if (this.#reason === null) this.#listeners.push(listener);
    else listener(this.#reason);
  }
}
