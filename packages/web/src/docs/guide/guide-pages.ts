/** The texts of the pages, each in a file of its own that is loaded when the page is opened. */
const TEXTS = import.meta.glob<string>("../../../../../docs/**/*.md", { query: "?raw", import: "default" });

/** Loads the text of a page; undefined when there is no such page. */
export function guideText(path: string): (() => Promise<string>) | undefined {
  return TEXTS[`../../../../../docs/${path}.md`];
}
