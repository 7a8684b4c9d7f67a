import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "..");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync(["docs/**/*.md", "examples/*.md", "examples/*/*.md"], { cwd: root }),
];
const sources = globSync(["packages/*/{src,test}/**/*.ts", "bench/src/**/*.ts"], { cwd: root });

/** The text of a page without its examples. */
function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```/gms, "");
}

/** The anchors of a page's headings, by GitHub's rules. */
function anchorsOf(page: string): Set<string> {
  const headings = textOf(page).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** The problem of a link to a page or an anchor; null when there is none. */
function faultOf(page: string, anchor: string): string | null {
  if (!existsSync(join(root, page))) return `${page} does not exist`;
  if (anchor === "" || !page.endsWith(".md") || anchorsOf(page).has(anchor)) return null;
  return `${page} has no heading for #${anchor}`;
}

describe("links between pages", () => {
  for (const page of pages) {
    test(`every link of ${page} has a target`, () => {
      const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
      const faults = links
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => {
          const [target = "", anchor = ""] = link.split("#");
          return faultOf(target === "" ? page : join(dirname(page), target), anchor);
        });
      assert.deepEqual(
        faults.filter((fault) => fault !== null),
        [],
      );
    });
  }
});

test("every page and heading that a comment names exists", () => {
  const faults = sources.flatMap((source) => {
    const named = readFileSync(join(root, source), "utf8").matchAll(/\bdocs\/([\w/-]+\.md)(?:#([\w-]+))?/g);
    return [...named].map(([, page = "", anchor = ""]) => {
      const fault = faultOf(join("docs", page), anchor);
      return fault === null ? null : `${source}: ${fault}`;
    });
  });
  assert.deepEqual(
    faults.filter((fault) => fault !== null),
    [],
  );
});
