import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { installed, type Project } from "./testing/project.ts";
import { RUNTIMES } from "./testing/runtimes.ts";

const MODULES = resolve(import.meta.dirname, "../../node_modules");

let project: Project;
before(async () => {
  project = await installed("card", ["react", "react-dom", "@types/react"]);
});
after(() => project[Symbol.asyncDispose]());

for (const { name, program, missing } of RUNTIMES.filter((runtime) => runtime.name.startsWith("Node"))) {
  test(`on ${name} the installed renderer draws a card`, { skip: missing }, async () => {
    await project.write(
      "draw.mjs",
      `import { CardView, cardSummary } from "@portico/card";
       import { createElement } from "react";
       import { renderToStaticMarkup } from "react-dom/server";
       const card = { schema: "2.0", body: { elements: [{ tag: "markdown", content: "**hello**" }] } };
       console.log(renderToStaticMarkup(createElement(CardView, { card, messageId: 7, locale: "en-US" })));
       console.log(cardSummary(card, "en-US"));`,
    );
    const { stdout } = await project.run(program, "draw.mjs");
    assert.match(stdout, /data-card="7".*data-tag="markdown".*<strong[^>]*>hello<\/strong>/);
    assert.match(stdout, /^hello$/m);
  });
}

test("its stylesheet is one file, with rules of each of its parts", async () => {
  const styles = await project.read("node_modules/@portico/card/dist/style.css");
  assert.doesNotMatch(styles, /@import/);
  for (const rule of [".pc-card", ".pc-columns", ".pc-table"]) assert.ok(styles.includes(rule), rule);
});

test("a page with a card type-checks in a strict project", async () => {
  await project.write(
    "page.tsx",
    `import "@portico/card/style.css";
     import { type CardAction, CardView } from "@portico/card";
     const send = async (action: CardAction) => console.log(action.tag);
     export const page = <CardView card={{}} messageId={1} locale="en-US" onAction={send} />;`,
  );
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, jsx: "react-jsx" },
    ...{
      module: "esnext",
      moduleResolution: "bundler",
      target: "es2022",
      types: [],
      noUncheckedSideEffectImports: false,
    },
  };
  const tsconfig = await project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["page.tsx"] }));
  await project.run(resolve(MODULES, ".bin/tsc"), "-p", tsconfig);
});

test("the tarball has neither sources nor tests", () => {
  const others = project.files.filter((file) => !/^dist\/(esm\/[\w./-]+\.(js|d\.ts)|style\.css)$/.test(file));
  assert.deepEqual(others.toSorted(), ["LICENSE", "README.md", "package.json"]);
});
