/** Above whatever a page has. */
const TOP = 2_147_483_000;

/**
 * The rules of the button and of the panel, in a shadow tree of their own: they do not see the page's, nor those them. Only the host
 * is of both; for it, what is important in the tree wins over whatever the page says, important or inline (CSS Cascade 5, section 6.1).
 * It has no size and is out of the flow, so that it moves nothing.
 */
const RULES = `
:host {
  all: initial !important; direction: ltr !important; display: block !important; position: fixed !important;
  inset: 0 auto auto 0 !important; z-index: ${TOP} !important;
}
*, *::before { box-sizing: border-box; }
.button, .panel { position: fixed; }
.button {
  bottom: calc(20px + env(safe-area-inset-bottom)); width: 56px; height: 56px; padding: 0; border: 0; border-radius: 50%;
  background: var(--accent); color: var(--on-accent); cursor: pointer;
  box-shadow: 0 6px 20px rgb(20 26 38 / 24%), 0 1px 3px rgb(20 26 38 / 16%), 0 0 0 1px rgb(255 255 255 / 20%);
  -webkit-tap-highlight-color: transparent; transition: transform 150ms ease;
}
.right .button { right: calc(20px + env(safe-area-inset-right)); }
.left .button { left: calc(20px + env(safe-area-inset-left)); }
.button:hover { transform: scale(1.05); }
.button:active { transform: scale(0.97); }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.button svg {
  position: absolute; inset: 16px; width: 24px; height: 24px; fill: none; stroke: currentcolor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; transition: opacity 150ms ease, transform 150ms ease;
}
.button .down, .button[aria-expanded=true] .bubble { opacity: 0; transform: rotate(-30deg) scale(0.7); }
.button[aria-expanded=true] .down { opacity: 1; transform: none; }
.badge {
  position: absolute; top: -3px; right: -3px; min-width: 22px; padding: 0 6px; border: 2px solid #fff; border-radius: 11px;
  background: #d43c3c; color: #fff; font: 600 12px/18px system-ui, sans-serif; text-align: center;
  font-variant-numeric: tabular-nums;
}
.badge[hidden], .button[hidden], .coming[hidden], .panel[hidden] { display: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.panel {
  bottom: calc(92px + env(safe-area-inset-bottom)); width: 392px; height: min(660px, calc(100vh - 112px)); height: min(660px, calc(100dvh - 112px));
  border-radius: 16px; overflow: hidden; background: #fff; color: #1b1f27; font: 15px/1.5 system-ui, sans-serif;
  box-shadow: 0 12px 48px rgb(20 26 38 / 20%), 0 2px 8px rgb(20 26 38 / 12%); animation: portico-open 160ms ease;
}
.dark .panel { background: #15171c; color: #e8eaee; box-shadow: 0 12px 48px rgb(0 0 0 / 60%), 0 0 0 1px #2b3038; }
.right .panel { right: calc(20px + env(safe-area-inset-right)); transform-origin: bottom right; }
.left .panel { left: calc(20px + env(safe-area-inset-left)); transform-origin: bottom left; }
.panel iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; visibility: hidden; color-scheme: normal; }
.panel.ready iframe { visibility: visible; }
.coming { position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 20px; padding: 32px; text-align: center; }
.coming::before { content: ""; position: absolute; inset: 0 0 auto; height: 68px; background: var(--accent); }
.coming p { margin: 0; text-wrap: balance; }
.leave { position: absolute; top: 12px; right: 12px; width: 44px; height: 44px; padding: 10px; border: 0; border-radius: 8px; background: none; color: var(--on-accent); cursor: pointer; }
.leave:focus-visible { outline: 2px solid currentcolor; }
.leave svg { width: 24px; height: 24px; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; }
@keyframes portico-open { from { opacity: 0; transform: translateY(12px) scale(0.98); } }
@media (max-width: 480px), (max-height: 480px) {
  .panel { inset: 0 0 auto; width: 100%; height: 100vh; height: 100dvh; border-radius: 0; }
  .button[aria-expanded=true] { visibility: hidden; }
}
@media (prefers-reduced-motion: reduce) { .button, .button svg, .panel { transition: none; animation: none; } }
@media print { :host { display: none !important; } }
`;

/** Puts the rules into a shadow tree: as a sheet, which no policy of a page's refuses, or where there is none, as an element. */
export function addStyles(root: ShadowRoot): void {
  if ("adoptedStyleSheets" in root) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const style = document.createElement("style");
  style.textContent = RULES;
  (root as ShadowRoot).append(style);
}
