import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { PAGES_FOLDER } from "../pages.ts";

interface Chunk {
  file: string;
  imports?: string[];
}

const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(new URL(".vite/manifest.json", PAGES_FOLDER), "utf8"),
);

const KB = 1_000;

/** What a page needs before it shows its first view: the page's own script, the view's, and what these import. */
const FIRST_LOADS = [
  { page: "messenger/index.html", view: "src/messenger/shell/messenger-shell.tsx", atMost: 185 * KB },
  { page: "messenger/index.html", view: "src/messenger/sign-in/messenger-sign-in.tsx", atMost: 155 * KB },
  { page: "desk/index.html", view: "src/desk/shell/desk-shell.tsx", atMost: 180 * KB },
  { page: "desk/index.html", view: "src/desk/sign-in/desk-sign-in.tsx", atMost: 155 * KB },
  { page: "console/index.html", view: "src/console/console.tsx", atMost: 350 * KB },
  { page: "console/index.html", view: "src/console/apps/apps-page.tsx", atMost: 350 * KB },
  { page: "console/index.html", view: "src/console/sign-in/console-sign-in.tsx", atMost: 168 * KB },
  { page: "index.html", view: "index.html", atMost: 150 * KB },
  { page: "docs/index.html", view: "src/docs/reference/operation-page.tsx", atMost: 192 * KB },
  { page: "docs/index.html", view: "src/docs/guide/guide-page.tsx", atMost: 228 * KB },
];

describe("the scripts of a first load, compressed by gzip", () => {
  for (const { page, view, atMost } of FIRST_LOADS) {
    it(`${page} with ${view}: at most ${atMost / KB} KB`, (t) => {
      const files = closureOf([page, view]);
      const size = [...files].reduce((sum, file) => sum + gzippedSize(file), 0);
      t.diagnostic(`${(size / KB).toFixed(1)} KB in ${files.size} files`);
      assert.ok(size <= atMost, `${size} bytes`);
    });
  }
});

/** The script files that chunks of the manifest load without being asked for later. */
function closureOf(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    const chunk = manifest[name];
    assert.ok(chunk, `the build has ${name}`);
    seen.add(name);
    chunk.imports?.forEach(visit);
  };
  names.forEach(visit);
  return new Set([...seen].map((name) => manifest[name]?.file ?? "").filter((file) => file.endsWith(".js")));
}

function gzippedSize(file: string): number {
  return gzipSync(readFileSync(new URL(file, PAGES_FOLDER)), { level: 9 }).length;
}

describe("the widget, compressed by gzip", () => {
  it("the script that sites include: at most 10 KB", (t) => {
    assertSize(t, ["widget.js"], 10 * KB);
  });

  it("the frame with its page, its script and its styles: at most 60 KB", (t) => {
    const built: Record<string, Chunk & { css?: string[] }> = JSON.parse(
      readFileSync(new URL(".vite/widget.json", PAGES_FOLDER), "utf8"),
    );
    const files = Object.values(built).flatMap(({ file, css = [] }) => [file, ...css]);
    assertSize(t, ["widget/index.html", ...files], 60 * KB);
  });

  function assertSize(t: TestContext, files: readonly string[], atMost: number): void {
    const size = files.reduce((sum, file) => sum + gzippedSize(file), 0);
    t.diagnostic(`${(size / KB).toFixed(1)} KB in ${files.length} files`);
    assert.ok(size <= atMost, `${size} bytes`);
  }
});
