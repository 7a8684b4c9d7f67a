/** @jsxImportSource preact */
import { render } from "preact";
import { textOn } from "../../shared/look/contrast.ts";
import type { Look, ToFrame } from "../common/messages.ts";
import { ownLocale } from "../common/own-locale.ts";
import { Alone, App } from "./app.tsx";
import { AppInfo } from "./app-info.ts";
import { Boundary } from "./boundary.tsx";
import { Conversation } from "./conversation.ts";
import { Credentials } from "./credentials.ts";
import type { Host } from "./host.ts";
import { draftKeyOf, isLeaving, leave, onLeftElsewhere } from "./leave.ts";
import { oncePerFrame } from "./once-per-frame.ts";
import { forgetLostFiles } from "./outbox.ts";
import { isForGood } from "./retry.ts";
import { SiteTokens } from "./site-tokens.ts";
import { playSound, wantsSound } from "./sound.ts";
import { forget } from "./storage.ts";
import { SpeechContext, speechIn } from "./widget-context.ts";

/** The frame between the page around it and the service: tells the one what the other has, and draws. */
export class FramePage {
  readonly #host: Host;
  readonly #appId: string;
  readonly #root: HTMLElement;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #tokens: SiteTokens;
  readonly #info: AppInfo;
  readonly #drawSoon = oncePerFrame(() => this.#draw());
  #credentials: Credentials;
  #conversation: Conversation | null = null;
  #look: Look = {};
  #identity = -1;
  #signingOut: Promise<void> | null = null;
  #isDrawn = false;
  /** Another number for each visitor: what one has begun to write, the next does not find. */
  #turn = 0;
  #isVisible = false;
  #focusTurn = 0;
  /** What the page around has been told. */
  #told = { unread: 0, hasConversation: false };

  constructor(host: Host, appId: string, root: HTMLElement) {
    this.#host = host;
    this.#appId = appId;
    this.#root = root;
    this.#tokens = new SiteTokens(host);
    this.#credentials = new Credentials({ appId, site: host.origin }, null);
    this.#info = new AppInfo(appId, host.origin, this.#drawSoon);
    this.#dark.addEventListener("change", this.#drawSoon);
    for (const event of ["online", "focus"]) addEventListener(event, () => this.#conversation?.check());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#conversation?.check();
      this.#looked();
    });
    addEventListener("keydown", ({ key, isComposing }) => {
      if (key === "Escape" && !isComposing) host.tell({ type: "close" });
    });
    onLeftElsewhere(appId, () => this.#conversation?.forget());
    // Somebody has signed out when the service could not be told: nothing is read before that.
    if (isLeaving(appId)) this.#signingOut = this.#signOut(null);
    else void forgetLostFiles(appId);
    host.listen((message) => void this.#hear(message));
    host.tell({ type: "ready" });
  }

  async #hear(message: ToFrame): Promise<void> {
    switch (message.type) {
      case "options":
        // Nothing is read for the next visitor before the last one is gone.
        await this.#signingOut;
        this.#look = message.look;
        if (message.identity !== this.#identity) this.#begin(message.identity);
        return this.#drawSoon();
      case "visible":
        return this.#show(message.visible);
      case "token":
        return this.#tokens.take(message.id, message.token);
      case "sign-out":
        this.#signingOut = this.#signOut(this.#signingOut);
    }
  }

  /** Whether or not the service can be told, nothing stays here. */
  async #signOut(before: Promise<void> | null): Promise<void> {
    const leaving = this.#credentials;
    this.#credentials = leaving.withoutName();
    this.#conversation?.close();
    this.#conversation = null;
    this.#identity = -1;
    this.#turn++;
    this.#draw();
    await before;
    const isDone = await leave(this.#appId, leaving);
    this.#told = { unread: 0, hasConversation: false };
    this.#host.tell({ type: "conversation", exists: false });
    this.#host.tell({ type: "signed-out", isDone });
  }

  /** Begins with the visitor whom the site names, or without one. */
  #begin(identity: number): void {
    this.#identity = identity;
    this.#turn++;
    this.#conversation?.close();
    const place = { appId: this.#appId, site: this.#host.origin };
    this.#credentials = new Credentials(place, identity === 0 ? null : () => this.#tokens.ask(identity));
    this.#conversation = new Conversation(this.#appId, this.#credentials, {
      onChange: this.#drawSoon,
      onMessage: () => {
        if (wantsSound() && (!this.#isVisible || !document.hasFocus())) void playSound();
      },
      onForgotten: () => {
        this.#turn++;
        forget(draftKeyOf(this.#appId));
        this.#told.hasConversation = false;
        this.#host.tell({ type: "conversation", exists: false });
      },
    });
    this.#conversation.setVisible(this.#isVisible);
  }

  #show(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) this.#focusTurn++;
    this.#looked();
    this.#drawSoon();
  }

  /** The visitor looks at the frame, or elsewhere. */
  #looked(): void {
    this.#conversation?.setVisible(this.#isVisible);
    this.#info.follow(this.#isVisible && !document.hidden);
  }

  /** Tells the page around what it shows of the conversation, once. */
  #tell(): void {
    const { unread = 0, session = null } = this.#conversation?.snapshot ?? {};
    if (unread !== this.#told.unread) this.#host.tell({ type: "unread", count: unread });
    this.#told.unread = unread;
    if (session === null || this.#told.hasConversation) return;
    this.#told.hasConversation = true;
    this.#host.tell({ type: "conversation", exists: true });
  }

  #draw(): void {
    this.#tell();
    const { app, error } = this.#info;
    const conversation = this.#conversation;
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
    const onClose = () => this.#host.tell({ type: "close" });
    const { words } = speech;
    render(
      <SpeechContext.Provider value={speech}>
        {app !== null && conversation !== null ? (
          <Boundary
            key={this.#turn}
            instead={<Alone text={words.broken} again={() => location.reload()} onClose={onClose} />}
          >
            <App
              app={app}
              conversation={conversation}
              snapshot={conversation.snapshot}
              draftKey={this.#identity === 0 ? draftKeyOf(this.#appId) : null}
              focusTurn={this.#focusTurn}
              onClose={onClose}
            />
          </Boundary>
        ) : (
          error !== null && (
            <Alone
              text={isForGood(error) ? words.notAllowed : words.unreachable}
              again={isForGood(error) ? undefined : () => this.#info.again()}
              onClose={onClose}
            />
          )
        )}
      </SpeechContext.Provider>,
      this.#root,
    );
    if (this.#isDrawn || (error === null && (app === null || conversation === null))) return;
    this.#isDrawn = true;
    this.#host.tell({ type: "drawn" });
  }
}
