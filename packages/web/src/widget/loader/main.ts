import { Portico } from "./portico.ts";

/** Where the page's scripts find the widget in any case, also when `window.Portico` is a thing of the page's own. */
const OWN = Symbol.for("portico.widget");

declare global {
  interface Window {
    Portico?: unknown;
    [OWN]?: Portico;
  }
}

/** The script that a site includes: `<script src="{baseUrl}/widget.js" data-app-id="app_…" async></script>`. */
function start(): void {
  // The page has the script twice.
  if (window[OWN] !== undefined) return;
  const script = document.currentScript;
  const appId = script instanceof HTMLScriptElement ? script.dataset.appId : undefined;
  if (!(script instanceof HTMLScriptElement) || !appId) {
    console.warn(
      'Portico: the widget is not shown: its script has no data-app-id, or is no classic script. It takes <script src="…/widget.js" data-app-id="app_…" async></script>.',
    );
    return;
  }
  const portico = new Portico(new URL(script.src).origin, appId);
  window[OWN] = portico;
  // An element with the id "Portico" is such a thing, too.
  if (window.Portico === undefined) window.Portico = portico;
  else console.info('Portico: window.Portico is the page\'s own; the widget is window[Symbol.for("portico.widget")].');
  dispatchEvent(new Event("portico:ready"));
}

start();
