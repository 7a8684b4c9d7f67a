import { useSyncExternalStore } from "react";

/** Which conversation a page's address names: `base` followed by its id. */
export class PagePath {
  readonly #base: string;
  readonly #listeners = new Set<() => void>();

  /** @param base begins and ends with a slash. */
  constructor(base: string) {
    this.#base = base;
    addEventListener("popstate", () => this.#tell());
  }

  /** The conversation that the address names, in a component; null when it names none. */
  readonly useOpen = (): string | null => useSyncExternalStore(this.#subscribe, this.open);

  /** The same, now. */
  readonly open = (): string | null => {
    const { pathname } = location;
    if (!pathname.startsWith(this.#base)) return null;
    try {
      return decodeURIComponent(pathname.slice(this.#base.length)) || null;
    } catch {
      return null;
    }
  };

  /** The address of a conversation. */
  readonly pathOf = (id: string): string => this.#base + encodeURIComponent(id);

  /** Goes to a conversation, or with null back to the list. */
  readonly goTo = (id: string | null): void => {
    const path = id === null ? this.#base : this.pathOf(id);
    if (path !== location.pathname) history.pushState(null, "", path);
    this.#tell();
  };

  readonly #subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
