/**
 * What the styles of well-known themes and tools for sites do to elements that are not theirs, each in our own words, and what
 * pages do that mean no harm and hide or move everything. By what they are modelled after.
 */
export const SITE_THEMES: Readonly<Record<string, string>> = {
  "Shopify Dawn": `div:empty, section:empty, article:empty, p:empty, h2:empty { display: none; }
    *, *::before, *::after { box-sizing: inherit; }`,
  "a landing page builder": "div { display: none; }",
  "an A/B test's anti-flicker": `body > *, html > *:not(head) { visibility: hidden !important; } html { opacity: 1; }`,
  "Meyer's reset with !important": `* { margin: 0 !important; padding: 0 !important; border: 0 !important; font: inherit !important;
    vertical-align: baseline !important; position: static !important; z-index: auto !important; }`,
  "WordPress Twenty Twenty-One": `iframe, object, embed { display: block; max-width: 100%; } button { background: #28303d; border: 3px solid; }
    .entry > *, body > * { max-width: 610px; margin-inline: auto; }`,
  Elementor: "body, body * { transform: translateY(40px) !important; will-change: transform !important; }",
  Divi: `#page-container, body > div { position: relative !important; overflow: hidden !important; height: 0 !important;
    width: 0 !important; contain: strict; }`,
  "Bootstrap Reboot": `*, *::before, *::after { box-sizing: border-box } [role="button"], button { cursor: wait !important; }
    [hidden] { display: none !important; } iframe, img, svg { vertical-align: middle; }`,
  "Tailwind Preflight": `*, ::before, ::after { border: 0 solid; } button { background: transparent; } iframe, svg { display: block; max-width: 1px; height: auto; }
    @layer base { * { display: none !important; } html, body, head + body, main { display: block !important; } }`,
  "normalize with a grid of the page": `html { display: grid; grid-template-columns: 1fr; gap: 40px; min-height: 100%; } html > * { grid-column: 1; }`,
  "Drupal Olivero": `.js-hidden, div[id] { pointer-events: none !important; opacity: 0 !important; filter: blur(4px) !important; }`,
  Squarespace: `body { filter: grayscale(1); transform: scale(0.9); perspective: 400px; } iframe { display: none !important; }`,
  "a page transition": `body { opacity: 0; animation: none; } * { transition: all 40s !important; animation: gone 40s !important; }
    @keyframes gone { from { opacity: 0; } to { opacity: 0; } }`,
  "a mourning day":
    "html { filter: grayscale(100%); transform: translateZ(0); } body { filter: grayscale(100%); overflow: hidden; height: 0; }",
  "a screen lock": `body { zoom: 0.5; pointer-events: none; user-select: none; visibility: hidden; } * { z-index: -1 !important; clip-path: inset(50%) !important;
    mix-blend-mode: difference !important; float: right !important; }`,
  "everything at once": `* { opacity: 0 !important; transform: translateX(-200px) !important; filter: blur(9px) !important; pointer-events: none !important; }`,
  "right to left":
    "html { direction: rtl; writing-mode: vertical-rl; font-size: 62.5%; letter-spacing: 4px; text-transform: uppercase; }",
};
