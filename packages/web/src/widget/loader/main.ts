import { Portico } from "./portico.ts";

declare global {
  interface Window {
    Portico?: Portico;
  }
}

/** The script that a site includes: `<script src="{baseUrl}/widget.js" data-app-id="app_…" async></script>`. */
function start(): void {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement) || window.Portico !== undefined) return;
  const { appId } = script.dataset;
  if (appId === undefined) {
    console.warn("Portico: the script has no data-app-id.");
    return;
  }
  window.Portico = new Portico(new URL(script.src).origin, appId);
  dispatchEvent(new Event("portico:ready"));
}

start();
