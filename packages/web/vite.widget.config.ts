import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";

/** Names of the files of this build, beside those of the pages in the same folder. */
const OWN = /^(?:widget|assets\/widget)/;

/**
 * The visitors' widget: `vite build --mode frame` for the frame, a page that shares no script with the others, so that it is
 * as small as it can be; `--mode loader` for the script that sites include, one file that keeps its names to itself.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [compress(OWN)],
  build: {
    target: "baseline-widely-available",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...(mode === "loader" ? LOADER : FRAME),
  },
}));

const FRAME = {
  manifest: ".vite/widget.json",
  rolldownOptions: {
    input: { widget: "widget/index.html" },
    output: {
      entryFileNames: "assets/widget-[hash].js",
      chunkFileNames: "assets/widget-[name]-[hash].js",
      assetFileNames: "assets/widget-[hash][extname]",
    },
  },
};

const LOADER = {
  rolldownOptions: {
    input: "src/widget/loader/main.ts",
    output: { format: "iife" as const, entryFileNames: "widget.js" },
  },
};
