import { CONNECT, type ToFrame, type ToLoader } from "../common/messages.ts";

/** The page around the frame: a loader on a site, at the other end of a port that nobody else has. */
export interface Host {
  /** The origin of the site, as the browser tells it. */
  origin: string;
  tell(message: ToLoader): void;
  /** Begins to listen, with what was said before. */
  listen(onMessage: (message: ToFrame) => void): void;
}

/**
 * Waits for the window around this one to hand over a port. Nobody else's message is heard: neither that of a page that has
 * opened the site, nor of another frame in it; and nothing but the first one.
 */
export function awaitHost(): Promise<Host> {
  return new Promise((found) => {
    const hear = ({ source, origin, data, ports: [port] }: MessageEvent<unknown>) => {
      if (window.parent === window || source !== window.parent || port === undefined) return;
      if (typeof data !== "object" || data === null || !("type" in data) || data.type !== CONNECT) return;
      removeEventListener("message", hear);
      found({
        origin,
        tell: (message) => port.postMessage(message),
        listen(onMessage) {
          port.onmessage = (event: MessageEvent<ToFrame>) => onMessage(event.data);
        },
      });
    };
    addEventListener("message", hear);
  });
}
