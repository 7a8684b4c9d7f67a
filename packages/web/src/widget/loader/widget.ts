import type { WidgetApp } from "@portico/protocol/schemas";
import type { Locale, ToLoader } from "../common/messages.ts";
import { ownLocale } from "../common/own-locale.ts";
import { Frame } from "./frame.ts";
import {
  forgetConversation,
  forgetSignOut,
  hasConversation,
  noteConversation,
  noteSignOut,
  wantsSignOut,
} from "./memory.ts";
import { View } from "./view.ts";

/** How long there may be nothing to see in an open panel. */
const SLOW_MS = 4_000;

/** What a site says of its visitor and of the look; what it leaves out, the application's settings decide. */
export interface WidgetOptions {
  /** Gives a visitorToken of the visitor whom the site knows, each time that one is needed; null when nobody is signed in. */
  token?: () => string | null | Promise<string | null>;
  locale?: Locale;
  theme?: "light" | "dark" | "auto";
  position?: "left" | "right";
}

/** The widget on a page: a button from the beginning, and a frame as soon as somebody needs it. */
export class Widget {
  readonly #service: string;
  readonly #app: WidgetApp;
  readonly #view: View;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #onUnread: (unread: number) => void;
  #options: WidgetOptions = {};
  #frame: Frame | null = null;
  #isOpen = false;
  /** Runs while the panel is open and there is nothing to see in the frame. */
  #slow = 0;
  #unread = 0;
  /** Which of the visitors whom the site has named; 0 while it names none. */
  #identity = 0;
  #named = 0;
  /** Who is being signed out, and has to prove to be it. */
  #leaving: { identity: number; token: WidgetOptions["token"] } | null = null;
  /** Called when the frame has signed the visitor out. */
  #signedOut: (() => void)[] = [];

  /** @param onUnread called whenever the number of unread messages has changed. */
  constructor(service: string, app: WidgetApp, options: WidgetOptions, onUnread: (unread: number) => void) {
    this.#service = service;
    this.#app = app;
    this.#onUnread = onUnread;
    this.#view = new View({
      onToggle: () => (this.#isOpen ? this.close() : this.open()),
      onClose: () => this.close(),
      onReturn: () => this.#reload(),
    });
    this.#dark.addEventListener("change", () => this.#show());
    this.set(options);
    if (wantsSignOut(app.appId)) this.#load();
  }

  get unread(): number {
    return this.#unread;
  }

  /** Takes over what the site says; another `token` is another visitor. */
  set(options: WidgetOptions): void {
    if (options.token !== undefined && options.token !== this.#options.token) this.#identity = ++this.#named;
    this.#options = { ...this.#options, ...options };
    this.#show();
    this.#tellOptions();
    if (this.isPossible && hasConversation(this.#app.appId)) this.#load();
  }

  open(): void {
    if (!this.isPossible || this.#isOpen) return;
    this.#isOpen = true;
    this.#load();
    this.#awaitFrame();
    this.#view.setOpen(true);
    this.#frame?.element.focus({ preventScroll: true });
    this.#frame?.tell({ type: "visible", visible: true });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#slow);
    this.#view.setOpen(false);
    this.#frame?.tell({ type: "visible", visible: false });
  }

  /** Ends what the visitor could read and write with, and forgets the conversation in this browser. */
  async signOut(): Promise<void> {
    this.close();
    // Always with the frame: what it keeps belongs to the whole site, also to pages of other addresses than this one.
    this.#load();
    noteSignOut(this.#app.appId);
    this.#frame?.tell({ type: "sign-out" });
    // At once, so that a visitor whom the site names meanwhile is not forgotten with this one.
    const { token, ...options } = this.#options;
    if (token !== undefined) this.#leaving = { identity: this.#identity, token };
    this.#options = options;
    this.#identity = 0;
    forgetConversation(this.#app.appId);
    this.#setUnread(0);
    this.#tellOptions();
    this.#show();
    await this.whenSignedOut();
  }

  /** Settles when the frame has signed out whoever was to be. */
  async whenSignedOut(): Promise<void> {
    if (wantsSignOut(this.#app.appId)) await new Promise<void>((done) => this.#signedOut.push(done));
  }

  /** Whether somebody may write: the site names its visitor, or need not, or did not have to when they first wrote. */
  get isPossible(): boolean {
    return this.#options.token !== undefined || this.#app.anonymousVisitors || hasConversation(this.#app.appId);
  }

  #show(): void {
    const { locale, theme = "auto", position } = this.#options;
    if (!this.isPossible && this.#frame === null) {
      this.#view.remove();
      return;
    }
    const look = {
      locale: ownLocale(locale, this.#app.widget.locale),
      theme: theme === "auto" ? (this.#dark.matches ? "dark" : "light") : theme,
      position: position ?? this.#app.widget.position,
    };
    this.#view.show(this.#app, look, this.isPossible);
  }

  #load(): void {
    if (this.#frame !== null) return;
    this.#view.setReady(false);
    this.#frame = new Frame(
      this.#service,
      this.#app.appId,
      (message) => this.#hear(message),
      (isSilent) => (isSilent ? this.#silence() : this.#reload()),
    );
    // Somebody has signed out when the service could not be told: nothing is read before that.
    if (wantsSignOut(this.#app.appId)) this.#frame.tell({ type: "sign-out" });
    this.#tellOptions();
    this.#show();
    this.#view.hold(this.#frame.element);
  }

  /** Says after a while that there is nothing to see yet. */
  #awaitFrame(): void {
    if (!this.#view.isReady) this.#slow = window.setTimeout(() => this.#view.setNotice("slow"), SLOW_MS);
  }

  #drop(): void {
    clearTimeout(this.#slow);
    this.#frame?.remove();
    this.#frame = null;
  }

  /** Begins anew with a frame that has lost its port, or its place on the page. */
  #reload(): void {
    if (this.#frame === null) return;
    this.#drop();
    this.#load();
    if (!this.#isOpen) return;
    this.#awaitFrame();
    this.#frame?.tell({ type: "visible", visible: true });
  }

  /** The next opening tries again. */
  #silence(): void {
    this.#drop();
    for (const done of this.#signedOut.splice(0)) done();
    this.#view.setNotice("unreachable");
    console.warn(
      `Portico: the chat cannot be loaded from ${this.#service}: the service cannot be reached, does not allow the frame on ${location.origin}, or frame-src of the page's Content-Security-Policy lacks it.`,
    );
    this.#show();
  }

  #tellOptions(): void {
    const { locale, theme } = this.#options;
    const look = { locale, theme: theme === "auto" ? undefined : theme };
    this.#frame?.tell({ type: "options", look, identity: this.#identity });
  }

  #hear(message: ToLoader): void {
    switch (message.type) {
      case "drawn":
        clearTimeout(this.#slow);
        this.#view.setReady(true);
        if (this.#isOpen) this.#frame?.element.focus({ preventScroll: true });
        break;
      case "close":
        this.close();
        break;
      case "unread":
        this.#setUnread(message.count);
        break;
      case "conversation":
        if (message.exists) noteConversation(this.#app.appId);
        else forgetConversation(this.#app.appId);
        break;
      case "token":
        void this.#giveToken(message.id, message.identity);
        break;
      case "signed-out":
        if (message.isDone) forgetSignOut(this.#app.appId);
        this.#leaving = null;
        for (const done of this.#signedOut.splice(0)) done();
        // Who comes next may never ask for it.
        if (this.#identity === 0 && !this.#isOpen) this.#drop();
        this.#show();
    }
  }

  async #giveToken(id: number, identity: number): Promise<void> {
    // A visitor who was named before gets no token of the one who is now.
    const ofNow = identity === this.#identity ? this.#options.token : undefined;
    const ask = identity === this.#leaving?.identity ? this.#leaving.token : ofNow;
    const token = await Promise.resolve()
      .then(() => ask?.())
      .catch((error: unknown) => {
        console.warn("Portico: the site's token function has failed.", error);
        return undefined;
      });
    this.#frame?.tell({
      type: "token",
      id,
      token: typeof token === "string" || token === null ? token || null : undefined,
    });
  }

  #setUnread(count: number): void {
    if (this.#unread === count) return;
    this.#unread = count;
    this.#view.setUnread(count);
    this.#onUnread(count);
  }
}
