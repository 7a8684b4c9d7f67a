import { CONNECT, type ToFrame, type ToLoader } from "../common/messages.ts";

/** How long the frame may take to answer. */
const ANSWER_MS = 15_000;
/** How long it may take once something has loaded: its script has run by then, unless the browser's own page of a failure is there. */
const LOADED_ANSWER_MS = 3_000;

/** What a frame may do: neither lead the page elsewhere nor open dialogs of it. */
const ALLOWED =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads";

/** The frame with the conversation: a page of the service, which the site's page cannot read. */
export class Frame {
  readonly element: HTMLIFrameElement;
  readonly #port: MessagePort;
  #timer: number;
  /** What was to be said before the frame answered. */
  #pending: ToFrame[] | null = [];

  /**
   * @param service the service's origin; the port is handed to a page of it alone.
   * @param onGone called when the frame does not answer, or was loaded anew, as a browser does that was short of memory.
   */
  constructor(
    service: string,
    appId: string,
    onMessage: (message: ToLoader) => void,
    onGone: (isSilent: boolean) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#timer = window.setTimeout(() => onGone(true), ANSWER_MS);
    port1.onmessage = ({ data }: MessageEvent<ToLoader>) => {
      if (data.type === "ready") this.#ready();
      onMessage(data);
    };
    this.element = document.createElement("iframe");
    this.element.setAttribute("sandbox", ALLOWED);
    let isFirst = true;
    this.element.addEventListener("load", () => {
      if (!isFirst) return onGone(false);
      isFirst = false;
      this.element.contentWindow?.postMessage({ type: CONNECT }, service, [port2]);
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => onGone(true), LOADED_ANSWER_MS);
    });
    this.element.src = `${service}/widget/?app=${encodeURIComponent(appId)}`;
  }

  /** Tells the frame something, as soon as it listens. */
  tell(message: ToFrame): void {
    if (this.#pending === null) this.#port.postMessage(message);
    else this.#pending.push(message);
  }

  /** Takes the frame off the page. */
  remove(): void {
    clearTimeout(this.#timer);
    this.#port.close();
    this.element.remove();
  }

  #ready(): void {
    clearTimeout(this.#timer);
    const pending = this.#pending ?? [];
    this.#pending = null;
    for (const message of pending) this.#port.postMessage(message);
  }
}
