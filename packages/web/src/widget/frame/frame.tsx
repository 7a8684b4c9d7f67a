/** @jsxImportSource preact */
import { ApiRefusedError } from "@portico/protocol/client/errors";
import type { WidgetApp } from "@portico/protocol/schemas";
import { render } from "preact";
import { textOn } from "../../shared/look/contrast.ts";
import type { Look, ToFrame } from "../common/messages.ts";
import { ownLocale } from "../common/own-locale.ts";
import { Alone, App } from "./app.tsx";
import { call } from "./calls.ts";
import { Conversation } from "./conversation.ts";
import { Credentials } from "./credentials.ts";
import type { Host } from "./host.ts";
import { playSound, wantsSound } from "./sound.ts";
import { forget } from "./storage.ts";
import { SpeechContext, speechIn } from "./widget-context.ts";

/** Whether somebody answers is asked for again so often, while the visitor looks. */
const APP_ASKED_MS = 60_000;
/** How long the site's page may take to give a token. */
const TOKEN_MS = 30_000;

/**
 * Where a draft is kept across pages: only that of a visitor without a name, who is always the same in this browser. Whom the
 * site names may be another person on the next page.
 */
function draftKeyOf(appId: string): string {
  return `portico-draft:${appId}`;
}

/** The frame between the page around it and the service: tells the one what the other has, and draws. */
export class FramePage {
  readonly #host: Host;
  readonly #appId: string;
  readonly #root: HTMLElement;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #tokens = new Map<number, (token: string | null | undefined) => void>();
  #app: WidgetApp | null = null;
  #error: unknown = null;
  #conversation: Conversation | null = null;
  #look: Look = {};
  #identity = -1;
  #signingOut: Promise<void> | null = null;
  #isDrawn = false;
  /** Another number for each visitor: what one has begun to write, the next does not find. */
  #turn = 0;
  #isVisible = false;
  #focusTurn = 0;
  #appTimer = 0;
  #unread = 0;

  constructor(host: Host, appId: string, root: HTMLElement) {
    this.#host = host;
    this.#appId = appId;
    this.#root = root;
    this.#dark.addEventListener("change", () => this.#draw());
    for (const event of ["online", "focus"]) addEventListener(event, () => this.#conversation?.check());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#conversation?.check();
      this.#conversation?.setVisible(this.#isVisible);
    });
    addEventListener("keydown", ({ key, isComposing }) => {
      if (key === "Escape" && !isComposing) host.tell({ type: "close" });
    });
    host.listen((message) => void this.#hear(message));
    void this.#readApp();
    host.tell({ type: "ready" });
  }

  async #hear(message: ToFrame): Promise<void> {
    switch (message.type) {
      case "options":
        // Nothing is read for the next visitor before the last one is gone.
        await this.#signingOut;
        this.#look = message.look;
        if (message.identity !== this.#identity) this.#begin(message.identity);
        return this.#draw();
      case "visible":
        return this.#show(message.visible);
      case "token":
        this.#tokens.get(message.id)?.(message.token);
        return;
      case "sign-out":
        this.#signingOut = this.#signOut();
    }
  }

  /** Whether or not the service can be told, nothing stays here. */
  async #signOut(): Promise<void> {
    const ignored = () => {};
    const leaving =
      this.#conversation ??
      new Conversation(this.#appId, new Credentials(this.#appId, null), {
        onChange: ignored,
        onMessage: ignored,
        onForgotten: ignored,
      });
    forget(draftKeyOf(this.#appId));
    const isDone = await leaving.signOut();
    forget(draftKeyOf(this.#appId));
    this.#conversation = null;
    this.#identity = -1;
    this.#host.tell({ type: "conversation", exists: false });
    this.#host.tell({ type: "signed-out", isDone });
  }

  /** Begins with the visitor whom the site names, or without one. */
  #begin(identity: number): void {
    this.#identity = identity;
    this.#turn++;
    this.#conversation?.close();
    const credentials = new Credentials(this.#appId, identity === 0 ? null : () => this.#askForToken(identity));
    this.#conversation = new Conversation(this.#appId, credentials, {
      onChange: () => this.#changed(),
      onMessage: () => {
        if (wantsSound() && (!this.#isVisible || !document.hasFocus())) playSound();
      },
      onForgotten: () => {
        this.#turn++;
        forget(draftKeyOf(this.#appId));
        this.#host.tell({ type: "conversation", exists: false });
      },
    });
    this.#conversation.setVisible(this.#isVisible);
  }

  /** Rejects when the site fails to say who is there. */
  #askForToken(identity: number): Promise<string | null> {
    const id = Math.random();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#tokens.get(id)?.(undefined), TOKEN_MS);
      this.#tokens.set(id, (token) => {
        clearTimeout(timer);
        this.#tokens.delete(id);
        if (token === undefined) reject(new Error("the site gives no visitorToken"));
        else resolve(token);
      });
      this.#host.tell({ type: "token", id, identity });
    });
  }

  #show(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) this.#focusTurn++;
    this.#conversation?.setVisible(isVisible);
    if (isVisible) void this.#readApp();
    this.#draw();
  }

  /** Reads how the application looks; the service checks the site around the frame, which the browser has named. */
  async #readApp(): Promise<void> {
    clearTimeout(this.#appTimer);
    try {
      const input = { params: { appId: this.#appId }, query: { site: this.#host.origin } };
      this.#app = await call("getApp", null, input);
      this.#error = null;
    } catch (error) {
      this.#error = error;
    }
    this.#draw();
    if (this.#error instanceof ApiRefusedError) return;
    if (this.#isVisible || this.#app === null) {
      this.#appTimer = window.setTimeout(() => void this.#readApp(), this.#app === null ? 5_000 : APP_ASKED_MS);
    }
  }

  #changed(): void {
    const { unread = 0, snapshot } = this.#conversation ?? {};
    if (unread !== this.#unread) this.#host.tell({ type: "unread", count: unread });
    this.#unread = unread;
    if (snapshot?.session) this.#host.tell({ type: "conversation", exists: true });
    this.#draw();
  }

  #draw(): void {
    const [app, conversation] = [this.#app, this.#conversation];
    const locale = ownLocale(this.#look.locale, app?.widget.locale ?? "auto");
    const speech = speechIn(locale);
    const { documentElement } = document;
    documentElement.lang = locale;
    documentElement.dataset.theme = this.#look.theme ?? (this.#dark.matches ? "dark" : "light");
    if (app !== null) {
      documentElement.style.setProperty("--accent", app.widget.themeColor);
      documentElement.style.setProperty("--on-accent", textOn(app.widget.themeColor));
      document.title = app.name;
    }
    const isRefused = this.#error instanceof ApiRefusedError;
    render(
      <SpeechContext.Provider value={speech}>
        {app !== null && conversation !== null ? (
          <App
            key={this.#turn}
            app={app}
            conversation={conversation}
            snapshot={conversation.snapshot}
            draftKey={this.#identity === 0 ? draftKeyOf(this.#appId) : null}
            focusTurn={this.#focusTurn}
            onClose={() => this.#host.tell({ type: "close" })}
          />
        ) : (
          this.#error !== null && (
            <Alone
              text={isRefused ? speech.words.notAllowed : speech.words.unreachable}
              onClose={() => this.#host.tell({ type: "close" })}
            />
          )
        )}
      </SpeechContext.Provider>,
      this.#root,
    );
    if (this.#isDrawn || (this.#error === null && (app === null || conversation === null))) return;
    this.#isDrawn = true;
    this.#host.tell({ type: "drawn" });
  }
}
