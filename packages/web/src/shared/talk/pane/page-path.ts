import { useSyncExternalStore } from "react";

/** Which conversation a page's address names: `base` followed by its id, and maybe `?at=` with the place of a message. */
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

  /** The place of the message that the address names, in a component; null when it names none. */
  readonly usePlace = (): number | null => useSyncExternalStore(this.#subscribe, placeNow);

  /** The address of a conversation. */
  readonly pathOf = (id: string): string => this.#base + encodeURIComponent(id);

  /** Goes to a conversation, to its end or to a message in it; or with null back to the list. */
  readonly goTo = (id: string | null, place?: number): void => {
    const path = id === null ? this.#base : this.pathOf(id);
    const address = place === undefined ? path : `${path}?at=${place}`;
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
    this.#tell();
  };

  /** Forgets the message that the address names; the way back does not lead there again. */
  readonly forgetPlace = (): void => {
    if (location.search !== "") history.replaceState(null, "", location.pathname);
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

function placeNow(): number | null {
  const at = new URLSearchParams(location.search).get("at");
  return at !== null && /^[1-9]\d{0,14}$/.test(at) ? Number(at) : null;
}
