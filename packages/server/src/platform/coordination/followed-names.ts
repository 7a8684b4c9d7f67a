/** Names of one command, so that neither this process nor Redis is busy with one for long. */
const MOST_AT_ONCE = 1_000;
/** A confirmation of all names takes so many turns. */
const TURNS = 8;

/** What a subscription of Redis is asked to do. It rejects when the connection is lost. */
export interface FollowedNamesParts {
  subscribe(names: string[]): Promise<void>;
  unsubscribe(names: string[]): Promise<void>;
  /** Whether commands are sent now; when they are not, the next connection begins with {@link FollowedNames.subscribeAll}. */
  isReady(): boolean;
}

/**
 * The names of channels that this process follows because somebody here watches what they are about.
 *
 * A name is in one of three states: unknown; asked, with the promise of the answer; followed, with null. Commands are
 * sent in the order of the calls, so the last call decides what Redis has.
 */
export class FollowedNames {
  readonly #parts: FollowedNamesParts;
  readonly #names = new Map<string, Promise<void> | null>();
  #isIncomplete = false;
  #turn = 0;

  constructor(parts: FollowedNamesParts) {
    this.#parts = parts;
  }

  /** Resolves when Redis has confirmed the names, or does not answer. */
  async follow(names: readonly string[]): Promise<void> {
    const isReady = this.#parts.isReady();
    const fresh = names.filter((name) => !this.#names.has(name));
    for (let from = 0; from < fresh.length; from += MOST_AT_ONCE) {
      const some = fresh.slice(from, from + MOST_AT_ONCE);
      const answer = isReady ? this.#ask(some) : null;
      for (const name of some) this.#names.set(name, answer);
    }
    await Promise.all(new Set(names.map((name) => this.#names.get(name))));
  }

  unfollow(names: readonly string[]): void {
    const known = names.filter((name) => this.#names.delete(name));
    if (known.length === 0 || !this.#parts.isReady()) return;
    for (let from = 0; from < known.length; from += MOST_AT_ONCE) {
      this.#parts.unsubscribe(known.slice(from, from + MOST_AT_ONCE)).catch(() => {
        // The connection is lost, and the subscription with it.
      });
    }
  }

  /**
   * Subscribes to all names, on a new connection.
   *
   * @throws when the connection is lost.
   */
  async subscribeAll(): Promise<void> {
    this.#isIncomplete = false;
    try {
      await this.#subscribe([...this.#names.keys()]);
    } catch (error) {
      this.#isIncomplete = true;
      throw error;
    }
  }

  /**
   * Subscribes again to what Redis did not confirm, and, if `all`, to a part of the others.
   *
   * @returns whether something had not been confirmed, so that messages may have been missed.
   * @throws when the connection is lost.
   */
  async confirm({ all }: { all: boolean }): Promise<boolean> {
    if (this.#isIncomplete) {
      await this.subscribeAll();
      return true;
    }
    if (!all) return false;
    const size = Math.ceil(this.#names.size / TURNS);
    const from = size * this.#turn;
    this.#turn = (this.#turn + 1) % TURNS;
    await this.#subscribe([...this.#names.keys()].slice(from, from + size));
    return false;
  }

  async #subscribe(names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += MOST_AT_ONCE) {
      const wanted = names.slice(from, from + MOST_AT_ONCE).filter((name) => this.#names.has(name));
      if (wanted.length > 0) await this.#parts.subscribe(wanted);
    }
  }

  #ask(names: string[]): Promise<void> {
    const answer: Promise<void> = this.#parts
      .subscribe(names)
      .catch(() => {
        this.#isIncomplete = true;
      })
      .then(() => {
        for (const name of names) if (this.#names.get(name) === answer) this.#names.set(name, null);
      });
    return answer;
  }
}
