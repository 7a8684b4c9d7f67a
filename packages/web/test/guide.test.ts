import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { ALL_PAGES } from "../src/docs/guide/guide-index.ts";
import { renderGuide } from "../src/docs/guide/markdown.ts";

const FOLDER = resolve(import.meta.dirname, "../../../docs");
const PAGES = ALL_PAGES;
const textOf = (path: string) => readFileSync(`${FOLDER}/${path}.md`, "utf8");
const HTML = new Map(PAGES.map(({ path }) => [path, renderGuide(textOf(path), path)]));

describe("the guide", () => {
  it("lists every file of the repository's docs, once, under its own title", () => {
    const files = globSync("**/*.md", { cwd: FOLDER }).map((file) => file.replace(/\.md$/, ""));
    assert.deepEqual(PAGES.map(({ path }) => path).sort(), files.sort());
    for (const { path, title } of PAGES) assert.equal(/^# (.*)$/m.exec(textOf(path))?.[1], title, path);
  });

  it("says in Chinese what it says in English: with the same commands, and each page leads to the other", () => {
    const commands = (text: string) => [...text.matchAll(/^```.*?^```/gms)].map(([block]) => block);
    const translated = PAGES.flatMap((page) => (page.zh === undefined ? [] : [[page.path, page.zh.path] as const]));
    assert.ok(translated.length > 0);
    for (const [path, zh] of translated) {
      assert.deepEqual(commands(textOf(zh)), commands(textOf(path)));
      assert.ok(HTML.get(path)?.includes(`href="/docs/guide/${zh}"`), path);
      assert.ok(HTML.get(zh)?.includes(`href="/docs/guide/${path}"`), zh);
    }
  });

  it("leads nowhere that is not there: each link to a page, and to a heading of it", () => {
    const broken: string[] = [];
    for (const [path, html] of HTML) {
      for (const [, href = ""] of html.matchAll(/ href="([^"]*)"/g)) {
        if (/^https?:/.test(href) || !/^[#/]/.test(href)) continue;
        const [target = "", anchor] = href.split("#");
        const page = target === "" ? path : target.replace(/^\/docs\/guide\//, "");
        const found = HTML.get(page);
        const isThere = found !== undefined && (anchor === undefined || found.includes(` id="${anchor}"`));
        if (!isThere) broken.push(`${path}: ${href}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it("draws HTML in a text as text, and gives headings of one name different ids", () => {
    const html = renderGuide(
      "# A `b` c\n\n<script>alert(1)</script>\n\n## A b c\n\n[x](../cards.md#buttons)",
      "contract/x",
    );
    assert.ok(!html.includes("<script>"));
    assert.ok(html.includes('id="a-b-c"') && html.includes('id="a-b-c-1"'));
    assert.ok(html.includes('href="/docs/guide/cards#buttons"'));
  });
});
