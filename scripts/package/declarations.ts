import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import type { PackageBuild } from "./packages.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const TSC = join(REPOSITORY, "node_modules/.bin/tsc");
const PACKAGE_SOURCES = join(REPOSITORY, "packages");
/** The specifiers of a declaration file. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|^import\s*)"([^"]+)"/gm;
const STYLE_IMPORT = /^import "[^"]+\.css";\n/gm;

/**
 * Writes a package's declarations to each format's folder in `outDir`: those that its entries lead to, with the ones of
 * the workspace's own packages beside them.
 *
 * @throws Error when they import a package that is not in `installed`: whoever installs this one would not have its types.
 */
export async function writeDeclarations(
  packageDir: string,
  outDir: string,
  build: PackageBuild,
  installed: readonly string[],
): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), "portico-types-"));
  try {
    await emit(packageDir, Object.values(build.entries), emitted);
    const files = await collect(packageDir, Object.values(build.entries), emitted, installed);
    for (const format of build.formats) {
      for (const [file, text] of files) await write(join(outDir, format, file), text);
    }
  } finally {
    await rm(emitted, { recursive: true });
  }
}

/** Runs the compiler: a declaration file for each source. */
async function emit(packageDir: string, entries: readonly string[], emitted: string): Promise<void> {
  const base = packageDir.endsWith("/card") ? "tsconfig.web.json" : "tsconfig.json";
  const project = join(emitted, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: PACKAGE_SOURCES,
    outDir: emitted,
    paths: await protocolPaths(),
    typeRoots: [join(REPOSITORY, "node_modules/@types")],
    types: base === "tsconfig.json" ? ["node"] : [join(REPOSITORY, "node_modules/vite/client.d.ts"), "node"],
  };
  const files = entries.map((entry) => join(packageDir, entry));
  await writeFile(project, JSON.stringify({ extends: join(REPOSITORY, base), compilerOptions, files, include: [] }));
  await promisify(execFile)(TSC, ["-p", project], { cwd: REPOSITORY }).catch((error) => {
    throw new Error(`the declarations of ${packageDir} cannot be made:\n${error.stdout}`);
  });
}

/** The contract's modules as sources: of what it finds as an installed package, the compiler writes no declarations. */
async function protocolPaths(): Promise<Record<string, [string]>> {
  const { name, exports } = await manifestOf("protocol");
  return Object.fromEntries(
    Object.entries(exports).map(([subpath, source]) => [
      `${name}${subpath.slice(1)}`,
      [join(PACKAGE_SOURCES, "protocol", source)],
    ]),
  );
}

async function manifestOf(folder: string): Promise<{ name: string; exports: Record<string, string> }> {
  return JSON.parse(await readFile(join(PACKAGE_SOURCES, folder, "package.json"), "utf8"));
}

/** The declarations that the entries lead to, by their place in the built package. */
async function collect(
  packageDir: string,
  entries: readonly string[],
  emitted: string,
  installed: readonly string[],
): Promise<Map<string, string>> {
  const own = relative(PACKAGE_SOURCES, packageDir);
  const waiting = entries.map((entry) => join(own, entry));
  const files = new Map<string, string>();
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const from = source;
    const place = placeOf(from, own);
    if (files.has(place)) continue;
    const emittedText = await readFile(join(emitted, from.replace(/\.tsx?$/, ".d.ts")), "utf8");
    const text = emittedText.replace(STYLE_IMPORT, "");
    const targets = new Map<string, string>();
    for (const [, , specifier = ""] of text.matchAll(SPECIFIER)) {
      const target = await sourceOf(specifier, from);
      if (target !== null) {
        waiting.push(target);
        targets.set(specifier, relativeScript(place, placeOf(target, own)));
      } else if (!installed.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
        throw new Error(`the types of ${from} import ${specifier}, which nobody would have`);
      }
    }
    files.set(
      place,
      text.replace(SPECIFIER, (whole, before: string, specifier: string) => {
        const target = targets.get(specifier);
        return target === undefined ? whole : `${before}"${target}"`;
      }),
    );
  }
  return files;
}

/** The source in the workspace that a specifier names; null for a package from elsewhere. */
async function sourceOf(specifier: string, from: string): Promise<string | null> {
  if (specifier.startsWith(".")) return join(dirname(from), specifier.replace(/\.js$/, ".ts"));
  const [, name, subpath = ""] = /^@portico\/([a-z-]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  const { exports } = await manifestOf(name);
  const source = exports[`.${subpath}`];
  if (source === undefined) throw new Error(`${specifier} is not exported`);
  return join(name, source);
}

/** `sdk/src/cards/card.ts` is `cards/card.d.ts` in the package, `protocol/src/events.ts` is `protocol/events.d.ts`. */
function placeOf(source: string, own: string): string {
  const [name = "", , ...path] = source.split("/");
  return [...(name === own ? [] : [name]), ...path].join("/").replace(/\.tsx?$/, ".d.ts");
}

function relativeScript(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
