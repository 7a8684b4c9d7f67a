import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";

const ROOT = new URL("../../../", import.meta.url);
const SRC = "packages/server/src";
const BIOME = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");

/** A file, and a file that it must not import. */
const FORBIDDEN = [
  ["platform/http/planted.ts", "domain/files/sweep.ts"],
  ["platform/planted.ts", "api/common/parts.ts"],
  ["domain/files/planted.ts", "api/common/parts.ts"],
  ["domain/webhooks/attempts/planted.ts", "service/start.ts"],
  ["api/console/apps/planted.ts", "api/operator/routes.ts"],
  ["api/desk/planted.ts", "api/client/routes.ts"],
  ["api/widget/stream/planted.ts", "api/desk/routes.ts"],
  ["api/scim/planted.ts", "api/client/routes.ts"],
  ["api/pages/planted.ts", "api/console/routes.ts"],
  ["api/files/planted.ts", "api/pages/routes.ts"],
  ["api/common/console/planted.ts", "api/open/bot/routes.ts"],
  ["api/open/bot/planted.ts", "service/start.ts"],
  ["api/common/planted.ts", "service/context.ts"],
] as const;
const ALLOWED = [
  ["api/client/planted.ts", "domain/files/sweep.ts"],
  ["api/desk/sessions/planted.ts", "api/common/parts.ts"],
  ["domain/files/planted.ts", "platform/storage/schema.ts"],
] as const;

/** The rules of `npm run check`, in a folder with planted files. */
describe("the rules of imports", () => {
  let dir = "";
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), "portico-import-rules-"));
    const rules = JSON.parse(await readFile(new URL("biome.json", ROOT), "utf8"));
    await writeFile(join(dir, "biome.json"), JSON.stringify({ ...rules, vcs: { enabled: false } }));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  for (const [file, imported] of FORBIDDEN) {
    test(`${file} must not import ${imported}`, async () => {
      assert.match(await lint(dir, { [file]: importing(file, imported), [imported]: PLAIN }), /noRestrictedImports/);
    });
  }
  for (const [file, imported] of ALLOWED) {
    test(`${file} may import ${imported}`, async () => {
      assert.equal(await lint(dir, { [file]: importing(file, imported), [imported]: PLAIN }), "");
    });
  }
  test("a circular import is found, also one of types only", async () => {
    const [a, b] = ["domain/cards/a.ts", "domain/cards/b.ts"];
    const circle = {
      [a]: 'import type { B } from "./b.ts";\nexport type A = B;\n',
      [b]: 'import type { A } from "./a.ts";\nexport type B = A;\n',
    };
    assert.match(await lint(dir, circle), /noImportCycles/);
  });
});

const PLAIN = "export const one = 1;\n";

function importing(file: string, imported: string): string {
  const up = "../".repeat(file.split("/").length - 1);
  // As written by an editor: relative to the common folder of the two paths.
  const [from, to] = [file.split("/"), imported.split("/")];
  let common = 0;
  while (from[common] === to[common]) common++;
  const path = up.slice(common * 3) + to.slice(common).join("/");
  return `import { one } from "${path}";\n\nexport const two = one;\n`;
}

/** The linter's findings for these files; empty when there are none. */
async function lint(dir: string, files: Record<string, string>): Promise<string> {
  const src = join(dir, SRC);
  await rm(src, { recursive: true, force: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(src, name)), { recursive: true });
    await writeFile(join(src, name), content);
  }
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, [BIOME, "lint", "."], { cwd: dir }, (error, stdout, stderr) => {
      if (error === null) resolve("");
      else if (typeof error.code === "number") resolve(stdout + stderr);
      else reject(error);
    });
  });
}
