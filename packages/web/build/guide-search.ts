import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";
import { ALL_PAGES } from "../src/docs/guide/guide-index.ts";
import { sectionsOf } from "../src/docs/guide/markdown.ts";
import type { SearchPage } from "../src/docs/search/search-texts.ts";

const MODULE = "virtual:guide-search";
const DOCS = resolve(import.meta.dirname, "../../../docs");

/** Makes the index of the guide's texts as the pages are built: the module `virtual:guide-search`, a file of its own. */
export function guideSearch(): Plugin {
  return {
    name: "portico-guide-search",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return;
      for (const { path } of ALL_PAGES) this.addWatchFile(fileOf(path));
      // The parser of JSON is faster than that of scripts.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(searchPages()))});`;
    },
  };
}

/** What a search of the guide reads. */
export function searchPages(): SearchPage[] {
  return ALL_PAGES.map(({ path, title }) => ({
    path: `/guide/${path}`,
    title,
    sections: sectionsOf(readFileSync(fileOf(path), "utf8")),
  }));
}

function fileOf(path: string): string {
  return `${DOCS}/${path}.md`;
}
