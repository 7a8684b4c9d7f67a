/**
 * Gathers what is added while the event loop runs what is ready, and hands it over at once: calls that go on after the
 * same answer of a database are served by one command.
 */
export class OncePerTurn<Item> {
  readonly #serve: (items: Item[]) => void;
  #items: Item[] = [];

  /** @param serve is never called without items; must not throw. */
  constructor(serve: (items: Item[]) => void) {
    this.#serve = serve;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length > 1) return;
    // A microtask first: called outside of one, nextTick would come before all continuations of promises.
    queueMicrotask(() => process.nextTick(() => this.#flush()));
  }

  #flush(): void {
    const items = this.#items;
    this.#items = [];
    this.#serve(items);
  }
}
