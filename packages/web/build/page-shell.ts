import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const HEAD = readFileSync(new URL("page-head.html", import.meta.url), "utf8").trim();
const BODY = readFileSync(new URL("page-body.html", import.meta.url), "utf8").trim();

/** What differs between the shells of the pages: their home, and their name in each language. */
const SHELLS: Readonly<Record<string, { home: string; en: string; zh: string }>> = {
  "/index.html": { home: "/", en: "Start", zh: "首页" },
  "/console/index.html": { home: "/console/", en: "Console", zh: "控制台" },
  "/docs/index.html": { home: "/docs/", en: "Docs", zh: "文档" },
  "/desk/index.html": { home: "/desk/", en: "Desk", zh: "客服工作台" },
  "/messenger/index.html": { home: "/messenger/", en: "Messenger", zh: "消息" },
};

/** Puts into each page's HTML what all pages share: the comments `page-head` and `page-body` are replaced by it. */
export function pageShell(): Plugin {
  return {
    name: "portico-page-shell",
    transformIndexHtml: {
      order: "pre",
      handler(html, { path }) {
        const shell = SHELLS[path];
        if (shell === undefined) throw new Error(`${path} has no shell`);
        const body = BODY.replace("{home}", shell.home).replace("{en}", shell.en).replace("{zh}", shell.zh);
        return put(put(html, "page-head", HEAD), "page-body", body);
      },
    },
  };
}

function put(html: string, name: string, text: string): string {
  const comment = `<!-- ${name} -->`;
  if (!html.includes(comment)) throw new Error(`a page lacks ${comment}`);
  return html.replace(comment, () => text);
}
