import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { guideSearch } from "./build/guide-search.ts";
import { pageShell } from "./build/page-shell.ts";
import { preloadFirst } from "./build/preload-first.ts";
import { servePages } from "./build/serve-pages.ts";

/** The service that `npm run dev` shows the pages of. */
const SERVICE = process.env.PORTICO_DEV_SERVICE ?? "http://localhost:8080";

/**
 * What many parts import, in few files: each file costs a request. The first loads, and what asks who is signed in goes
 * without the others, as it runs before them.
 */
const CHUNKS = [
  { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 4 },
  {
    name: "client",
    test: /node_modules\/typebox\/|packages\/(?:protocol\/src\/(?:client\/(?!live|member)|errors\/|endpoints\/[\w-]+\.ts|schemas\/(?!console|operator|customer|desk|widget|canned))|web\/src\/shared\/session\/(?!console|member|start|use))/,
    minShareCount: 2,
    priority: 3,
  },
  {
    name: "shared",
    test: /node_modules\/(?:i18next|@tanstack|@ant-design\/icons-svg)\/|packages\/web\/src\/shared\/(?!session\/|cards\/|calls\/|talk\/|sign-in\/|app\/(?:not-found|route-fault)|text\/links|look\/\w+\.css)/,
    minShareCount: 2,
    priority: 2,
  },
  // What finds addresses in a text is needed where a conversation is open, and by cards.
  {
    name: "links",
    test: /node_modules\/(?:linkify-it|uc\.micro)\/|packages\/card\/src\/model\/linkify|packages\/web\/src\/shared\/text\/links/,
    priority: 3,
  },
  // Messenger and desk alone have conversations; an open one is drawn by the second, which a list does without.
  {
    name: "talk-live",
    test: /packages\/web\/src\/shared\/talk\/(?:live\/|list\/|pane\/(?:page-path|panes|pane|back)|log\/(?:log-skeleton|file-content|plain-name)|[\w-]+\.ts)/,
    minShareCount: 2,
    // What these import is needed by others, too.
    includeDependenciesRecursively: false,
    priority: 1,
  },
  {
    name: "talk",
    test: /node_modules\/virtua\/|packages\/web\/src\/shared\/talk\/(?:log|composer|pane)\//,
    minShareCount: 2,
    includeDependenciesRecursively: false,
    priority: 1,
  },
  {
    name: "antd",
    test: /node_modules\/(?:antd|@ant-design\/(?!icons-svg)|@rc-component|stylis|@emotion)\//,
    // What fewer parts need, such as dialogs, is not loaded with the first.
    minShareCount: 12,
    priority: 1,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), guideSearch(), pageShell(), servePages(), preloadFirst(), compress()],
  build: {
    target: "baseline-widely-available",
    manifest: true,
    // A picture in a script's text could not be cached, and the pages' policy names the addresses that they may load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      input: {
        start: "index.html",
        console: "console/index.html",
        messenger: "messenger/index.html",
        desk: "desk/index.html",
        docs: "docs/index.html",
      },
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
  server: {
    port: 5173,
    proxy: {
      "/api": { target: SERVICE, ws: true },
      "/files": SERVICE,
      "/docs/json": SERVICE,
      "/image-proxy": SERVICE,
      "/start.json": SERVICE,
      "/readyz": SERVICE,
    },
  },
});
