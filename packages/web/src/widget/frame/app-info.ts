import type { WidgetApp } from "@portico/protocol/schemas";
import { call } from "./calls.ts";
import { askedToWaitMs, isForGood, Retry } from "./retry.ts";

/** Whether somebody answers is asked for again so often, while the visitor looks. */
const ASKED_EVERY_MS = 60_000;
/** The delays after failures. */
const DELAYS = { firstMs: 5_000, longestMs: 120_000 };

/** How the application looks and whether somebody answers: kept up to date while somebody looks. */
export class AppInfo {
  readonly #appId: string;
  readonly #site: string;
  readonly #onChange: () => void;
  readonly #again = new Retry(DELAYS, () => void this.#read());
  #timer = 0;
  #isFollowed = false;
  #isReading = false;
  #app: WidgetApp | null = null;
  #error: unknown = null;

  /** @param site the origin of the page around the frame, which the service checks. */
  constructor(appId: string, site: string, onChange: () => void) {
    this.#appId = appId;
    this.#site = site;
    this.#onChange = onChange;
    void this.#read();
  }

  /** Null while it is not known. */
  get app(): WidgetApp | null {
    return this.#app;
  }

  /** Why it could not be read the last time; null when it could, or was not tried. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether somebody looks: what is shown is then read at once, and again from time to time. */
  follow(isFollowed: boolean): void {
    if (isFollowed === this.#isFollowed) return;
    this.#isFollowed = isFollowed;
    if (isFollowed) void this.#read();
    else this.#rest();
  }

  /** Tries again at once. */
  again(): void {
    void this.#read();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#again.cancel();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#rest();
    this.#isReading = true;
    try {
      const params = { appId: this.#appId };
      this.#app = await call("getApp", null, { params, query: { site: this.#site } });
      this.#error = null;
      this.#again.succeeded();
    } catch (error) {
      this.#error = error;
    } finally {
      this.#isReading = false;
    }
    this.#onChange();
    if (!this.#isFollowed) return;
    if (this.#error === null) this.#timer = window.setTimeout(() => void this.#read(), ASKED_EVERY_MS);
    // What is refused is asked for again when somebody opens the panel.
    else if (!isForGood(this.#error)) this.#again.later(askedToWaitMs(this.#error));
  }
}
