import { noteSignOut } from "./memory.ts";
import { readSettings } from "./settings.ts";
import { Widget, type WidgetOptions } from "./widget.ts";

/** How long a site that signs its visitor out waits at most; what is not done by then goes on, also on the next page. */
const SIGNED_OUT_MS = 3_000;

/** For the scripts of the site. */
export class Portico {
  /** Null until the settings are there, and for good where they cannot be had. */
  #widget: Widget | null = null;
  /** Settled when the widget is there, or cannot be. */
  readonly #begun: Promise<void>;
  readonly #appId: string;
  #options: WidgetOptions = {};
  #wantsOpen = false;
  readonly #listeners = new Set<(unread: number) => void>();

  /** Begins as soon as the page has nothing more important to do. */
  constructor(service: string, appId: string) {
    this.#appId = appId;
    this.#begun = idle()
      .then(() => this.#begin(service, appId))
      .catch((error: unknown) => {
        // The site goes on without the widget; who looks for it finds out why.
        const reason = error instanceof Error ? error.message : String(error);
        console.warn(`Portico: the widget of ${appId} is not shown: ${reason}.`, error);
      });
  }

  /** Says who the visitor is, and how the widget looks; can be called again. */
  widget(options: WidgetOptions): this {
    this.#options = { ...this.#options, ...options };
    this.#widget?.set(options);
    return this;
  }

  open(): void {
    this.#wantsOpen = true;
    this.#widget?.open();
  }

  close(): void {
    this.#wantsOpen = false;
    this.#widget?.close();
  }

  /** The number of messages that the visitor has not read. */
  get unread(): number {
    return this.#widget?.unread ?? 0;
  }

  /** Calls `listener` whenever that number has changed, until what it answers is called. */
  onUnread(listener: (unread: number) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** For when the visitor signs out of the site: nobody after them reads the conversation in this browser. */
  async signOut(): Promise<void> {
    const { token: _, ...options } = this.#options;
    this.#options = options;
    await Promise.race([this.#signOut(), new Promise((over) => setTimeout(over, SIGNED_OUT_MS))]);
  }

  async #signOut(): Promise<void> {
    if (this.#widget !== null) return await this.#widget.signOut();
    // The page may be left before there is a widget: then the next one does it, before anything else.
    noteSignOut(this.#appId);
    await this.#begun;
    await (this.#widget as Widget | null)?.whenSignedOut();
  }

  async #begin(service: string, appId: string): Promise<void> {
    const app = await readSettings(service, appId);
    const widget = new Widget(service, app, this.#options, (unread) => {
      for (const listener of this.#listeners) listener(unread);
    });
    this.#widget = widget;
    if (!widget.isPossible) {
      console.info(
        `Portico: the widget of ${appId} is not shown: anonymous visitors are not allowed, and the page names nobody. Allow them under Widget in the console, or call Portico.widget({ token }).`,
      );
    }
    if (this.#wantsOpen) widget.open();
  }
}

/** Waits until the page has loaded, and has nothing else to do. */
async function idle(): Promise<void> {
  if (document.readyState !== "complete") {
    await new Promise((loaded) => addEventListener("load", loaded, { once: true }));
  }
  if ("requestIdleCallback" in window) await new Promise((free) => requestIdleCallback(free, { timeout: 2_000 }));
}
