import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { servePages } from "./build/serve-pages.ts";

/** The service that `npm run dev` shows the pages of. */
const SERVICE = process.env.PORTICO_DEV_SERVICE ?? "http://localhost:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), servePages(), compress()],
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
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      "/api": { target: SERVICE, ws: true },
      "/files": SERVICE,
      "/docs": SERVICE,
      "/image-proxy": SERVICE,
      "/start.json": SERVICE,
      "/readyz": SERVICE,
    },
  },
});
