import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { PAGES, readBuiltPages } from "./built-pages.ts";

const MANIFEST = {
  "console/index.html": {
    file: "assets/console-1.js",
    isEntry: true,
    css: ["assets/console-2.css"],
    imports: ["_a.js"],
  },
  "desk/index.html": { file: "assets/desk-3.js", isEntry: true, dynamicImports: ["_later.js"] },
  "_a.js": { file: "assets/a-4.js", assets: ["assets/font-5.woff2"] },
  "_later.js": { file: "assets/later-6.js" },
  "_unused.js": { file: "assets/unused-7.js" },
};

/** What a build with such a manifest is read as. */
function read(manifest: unknown) {
  const folder = mkdtempSync(join(tmpdir(), "portico-pages-"));
  try {
    const files = { ...Object.fromEntries(Object.values(PAGES).map((name) => [name, "<html>"])) };
    for (const [name, content] of Object.entries({ ...files, ".vite/manifest.json": JSON.stringify(manifest) })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return readBuiltPages(pathToFileURL(`${folder}/`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a page may load what its manifest's chunks name, directly or through others, at once or later", () => {
  const pages = read(MANIFEST);
  const ofConsole = ["assets/console-1.js", "assets/console-2.css", "assets/a-4.js", "assets/font-5.woff2"];
  const ofDesk = ["assets/desk-3.js", "assets/later-6.js"];
  assert.deepEqual([...(pages?.console ?? [])].sort(), ofConsole.toSorted());
  assert.deepEqual([...(pages?.others ?? [])].sort(), ofDesk);
  assert.deepEqual([...(pages?.hashed ?? [])].sort(), [...ofConsole, ...ofDesk].sort());
});

for (const [what, manifest] of Object.entries({
  "a list": [],
  nothing: null,
  "a chunk without its file": { "_a.js": {} },
  "a chunk that is a list": { "_a.js": [] },
  "names that are none": { "_a.js": { file: "a.js", css: [1] } },
  "a name instead of a list": { "_a.js": { file: "a.js", imports: "_b.js" } },
  "an entry by a word": { "_a.js": { file: "a.js", isEntry: "yes" } },
})) {
  test(`a manifest is refused that is or has ${what}`, () => {
    assert.throws(() => read(manifest), /not one of Vite's manifests/);
  });
}
