import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const SCRIPT = `export const words = ${JSON.stringify("what every page needs ".repeat(200))};\n`;

/**
 * The result of a small build: the console loads a shared file, its own and a lazy one; the other pages load their own.
 */
const FILES: Record<string, string> = {
  "index.html": "<!doctype html><title>start</title>",
  "console/index.html": '<!doctype html><title>console</title><script src="/assets/early.js"></script>',
  "messenger/index.html": "<!doctype html><title>messenger</title>",
  "desk/index.html": "<!doctype html><title>desk</title>",
  "docs/index.html": "<!doctype html><title>docs</title>",
  "widget/index.html": "<!doctype html><title>widget</title>",
  "widget.js": "(() => {})();",
  "assets/widget-a1b2.js": "export const widget = 1;",
  ".vite/widget.json": JSON.stringify({ "widget/index.html": { file: "assets/widget-a1b2.js", isEntry: true } }),
  "assets/shared-a1b2.js": SCRIPT,
  "assets/console-a1b2.js": 'import "./shared-a1b2.js";',
  "assets/apps-a1b2.js": "export const apps = 1;",
  "assets/console-a1b2.css": "body { margin: 0 }",
  "assets/messenger-a1b2.js": 'import "./shared-a1b2.js";',
  "assets/early.js": "export const early = 1;",
  "assets/logo-a1b2.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "assets/messenger-a1b2.js.map": "{}",
  "secret.pem": "not a page's file",
  ".vite/manifest.json": JSON.stringify({
    "index.html": { file: "assets/shared-a1b2.js", isEntry: true },
    "_shared.js": { file: "assets/shared-a1b2.js" },
    "console/index.html": {
      file: "assets/console-a1b2.js",
      isEntry: true,
      imports: ["_shared.js"],
      dynamicImports: ["apps.tsx"],
      css: ["assets/console-a1b2.css"],
    },
    "apps.tsx": { file: "assets/apps-a1b2.js", imports: ["_shared.js", "console/index.html"] },
    "messenger/index.html": { file: "assets/messenger-a1b2.js", isEntry: true, imports: ["_shared.js"] },
    "desk/index.html": { file: "assets/shared-a1b2.js", isEntry: true },
    "docs/index.html": { file: "assets/shared-a1b2.js", isEntry: true },
  }),
};

/** A folder as written by `npm run build`; `changes` replaces files, or leaves them out with null. */
export function buildPages(changes: Record<string, string | null> = {}): { folder: URL; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "portico-pages-"));
  const files = { ...FILES, ...changes };
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
    if (content.length < 1_024) continue;
    writeFileSync(join(path, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(path, `${name}.gz`), gzipSync(content));
  }
  return { folder: pathToFileURL(`${path}/`), remove: () => rmSync(path, { recursive: true }) };
}

/** The script that all pages load; long enough to be compressed. */
export const SHARED = { path: "/assets/shared-a1b2.js", content: SCRIPT };
