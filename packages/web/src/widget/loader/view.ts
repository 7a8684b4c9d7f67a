import type { WidgetApp } from "@portico/protocol/schemas";
import { textOn } from "../../shared/look/contrast.ts";
import type { Locale } from "../common/messages.ts";
import { element, icon } from "./elements.ts";
import { Stay } from "./stay.ts";
import { addStyles } from "./styles.ts";
import { WORDS } from "./words.ts";

/** The most that the badge shows. */
const MOST_SHOWN = 99;

/** How the button and the panel look. */
export interface ViewLook {
  locale: Locale;
  theme: "light" | "dark";
  position: "left" | "right";
}

/** The button and the panel on the site's page, fixed above it, so that nothing of the page moves. */
export class View {
  /** The element on the page. */
  readonly #host = element("div", { id: "portico-widget", popover: "manual" });
  readonly #area = element("div", { role: "region" });
  readonly #button = element("button", { type: "button", class: "button", "aria-expanded": "false" });
  readonly #badge = element("span", { class: "badge", "aria-hidden": "true", hidden: "" });
  readonly #unread = element("span", { class: "hidden", role: "status", id: "unread" });
  readonly #panel = element("div", { class: "panel", hidden: "" });
  readonly #leave = element("button", { type: "button", class: "leave" }, icon("cross", "M6 6l12 12M18 6 6 18"));
  readonly #coming = element("div", { class: "coming" }, this.#leave);
  #locale: Locale = "en-US";
  readonly #stay: Stay;

  /** `onReturn` is called when the site has taken the widget off the page, and it is there again, without what the frame had. */
  constructor({ onToggle, onClose, onReturn }: { onToggle: () => void; onClose: () => void; onReturn: () => void }) {
    this.#stay = new Stay(this.#host, onReturn);
    const root = this.#host.attachShadow({ mode: "open" });
    addStyles(root);
    this.#button.append(
      icon("bubble", "M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-5.7A8.4 8.4 0 1 1 21 11.5Z"),
      icon("down", "m6 9 6 6 6-6"),
      this.#badge,
    );
    this.#button.setAttribute("aria-describedby", "unread");
    // The second click of a double click would close what the first has opened.
    this.#button.addEventListener("click", ({ detail }) => {
      if (detail < 2) onToggle();
    });
    this.#panel.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") onClose();
    });
    this.#leave.addEventListener("click", onClose);
    this.#panel.append(this.#coming);
    this.#area.append(this.#panel, this.#button, this.#unread);
    root.append(this.#area);
    // The keyboard of a phone covers the lower part of a page, which stays as high as it was.
    window.visualViewport?.addEventListener("resize", () => this.#fit());
    window.visualViewport?.addEventListener("scroll", () => this.#fit());
  }

  /** Puts the button on the page, or shows it in another way; or only what holds the frame. */
  show(app: WidgetApp, { locale, theme, position }: ViewLook, hasButton: boolean): void {
    const words = WORDS[locale];
    this.#locale = locale;
    this.#host.lang = locale;
    this.#area.className = `${position} ${theme}`;
    this.#area.style.setProperty("--accent", app.widget.themeColor);
    this.#area.style.setProperty("--on-accent", textOn(app.widget.themeColor));
    this.#area.setAttribute("aria-label", words.frame);
    this.#button.setAttribute("aria-label", words.open);
    this.#button.hidden = !hasButton;
    this.#leave.setAttribute("aria-label", words.close);
    this.#stay.begin();
  }

  /** Takes everything off the page. */
  remove(): void {
    this.#stay.end();
  }

  /** Opens or closes the panel. */
  setOpen(isOpen: boolean): void {
    // Who was in the panel goes on at the button; who was elsewhere stays there.
    const hadFocus = this.#panel.contains(this.#host.shadowRoot?.activeElement ?? null);
    this.#panel.hidden = !isOpen;
    this.#button.setAttribute("aria-expanded", String(isOpen));
    this.#fit();
    if (!isOpen && hadFocus) this.#button.focus({ preventScroll: true });
  }

  get isReady(): boolean {
    return this.#panel.classList.contains("ready");
  }

  /** Shows the frame, which has answered. */
  setReady(isReady: boolean): void {
    this.#panel.classList.toggle("ready", isReady);
    this.#coming.hidden = isReady;
    this.#coming.replaceChildren(this.#leave);
  }

  /** Says why there is nothing to see of the frame. */
  setNotice(reason: "slow" | "unreachable"): void {
    this.#coming.replaceChildren(this.#leave, element("p", { role: "alert" }, WORDS[this.#locale][reason]));
  }

  /** Shows how many messages have not been read. */
  setUnread(count: number): void {
    this.#badge.hidden = count === 0;
    this.#badge.textContent = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
    this.#unread.textContent = count === 0 ? "" : WORDS[this.#locale].unread(count);
  }

  /** Puts the frame into the panel. */
  hold(frame: HTMLIFrameElement): void {
    frame.title = WORDS[this.#locale].frame;
    this.#panel.append(frame);
  }

  /** On a phone, where the panel has the whole screen: what the keyboard leaves of it. */
  #fit(): void {
    const viewport = window.visualViewport;
    const isWhole = matchMedia("(max-width: 480px), (max-height: 480px)").matches;
    const { style } = this.#panel;
    style.height = isWhole && viewport !== null ? `${viewport.height}px` : "";
    style.top = isWhole && viewport !== null ? `${viewport.offsetTop}px` : "";
  }
}
