import type { HtmlTagDescriptor, Plugin, Rollup } from "vite";

/** What each page imports as soon as it runs, or is likely to: the browser need not wait to be told of it by a script. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  "console/index.html": ["src/console/page.tsx", "src/console/sign-in/console-sign-in.tsx"],
  "desk/index.html": ["src/desk/page.tsx", "src/desk/sign-in/desk-sign-in.tsx", "src/desk/shell/desk-shell.tsx"],
  "docs/index.html": ["src/docs/shell/docs-shell.tsx"],
  "messenger/index.html": [
    "src/messenger/page.tsx",
    "src/messenger/sign-in/messenger-sign-in.tsx",
    "src/messenger/shell/messenger-shell.tsx",
  ],
};

/** Names the files of a page's first parts in its HTML, so that they are loaded together with its script. */
export function preloadFirst(): Plugin {
  return {
    name: "portico-preload-first",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { path, bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const first = FIRST[path.slice(1)] ?? [];
        const firstChunks = first.map((module) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`));
          if (chunk === undefined) throw new Error(`${module} is no chunk of its own`);
          return chunk;
        });
        const needed = closureOf(firstChunks, bundle);
        const scripts = [...needed].map(({ fileName }) => tag("modulepreload", fileName));
        const styles = new Set([...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
        return [...scripts, ...[...styles].map((name) => tag("stylesheet", name))].filter(
          ({ attrs }) => !html.includes(`href="${attrs?.href}"`),
        );
      },
    },
  };
}

/** Chunks with all that they import statically. */
function closureOf(chunks: readonly Rollup.OutputChunk[], bundle: Rollup.OutputBundle): Set<Rollup.OutputChunk> {
  const found = new Set(chunks);
  for (const { imports } of found) {
    for (const name of imports) {
      const file = bundle[name];
      if (file?.type === "chunk") found.add(file);
    }
  }
  return found;
}

function tag(rel: "modulepreload" | "stylesheet", fileName: string): HtmlTagDescriptor {
  return { tag: "link", attrs: { rel, crossorigin: true, href: `/${fileName}` }, injectTo: "head" };
}
