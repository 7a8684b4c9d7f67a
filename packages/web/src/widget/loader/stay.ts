/** An element comes back no sooner than this after the last time: a site may take it away again and again, on purpose. */
const NOT_SOONER_MS = 1_000;

/**
 * Keeps an element on the page. It is beside the body: what a site does to its body, such as a filter, or another body in place
 * of it as sites do that load pages by scripts, leaves it as it is.
 */
export class Stay {
  readonly #element: HTMLElement;
  readonly #onReturn: () => void;
  readonly #observer = new MutationObserver(() => this.#look());
  #isThere = false;
  #timer = 0;
  #returnedAt = Number.NEGATIVE_INFINITY;

  constructor(element: HTMLElement, onReturn: () => void) {
    this.#element = element;
    this.#onReturn = onReturn;
  }

  /** Puts the element on the page, if it is not there, and keeps it there. */
  begin(): void {
    if (this.#isThere) return;
    this.#isThere = true;
    this.#put();
  }

  /** Takes it off. */
  end(): void {
    this.#observer.disconnect();
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isThere = false;
    this.#element.remove();
  }

  #put(): void {
    document.documentElement.append(this.#element);
    // In the browser's top layer neither opacity nor transform of the page's root reaches it.
    this.#element.showPopover?.();
    this.#observer.disconnect();
    for (const place of [document, document.documentElement]) this.#observer.observe(place, { childList: true });
  }

  #look(): void {
    if (this.#element.isConnected || this.#timer !== 0) return;
    const delayMs = Math.max(0, this.#returnedAt + NOT_SOONER_MS - performance.now());
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      // The site may have put it back itself.
      if (this.#element.isConnected) return;
      this.#returnedAt = performance.now();
      this.#put();
      this.#onReturn();
    }, delayMs);
  }
}
