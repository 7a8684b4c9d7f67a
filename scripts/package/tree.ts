import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

const PACKAGES = resolve(import.meta.dirname, "../../packages");
/** Imports, exports from, and dynamic imports; not what a statement of SQL selects from. */
const SPECIFIER = /(^(?:import|export)\b[^"'`;]*?\bfrom\s*|^import\s*|\bimport\s*\(\s*)"([^"]+)"/gm;
/** Files beside a script: threads and data. */
const FILE_URL = /\bnew URL\("(\.{1,2}\/[^"]*)", import\.meta\.url\)/g;

/** The members of a workspace's package.json that matter here. */
interface Workspace {
  name: string;
  version: string;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
}

/** What has been written. */
export interface Tree {
  /** The packages from elsewhere that it imports, with the version that the repository has. */
  dependencies: Record<string, string>;
  /** The script of the entry, relative to the folder. */
  entry: string;
}

/**
 * Writes a program and all that it imports from the workspaces as JavaScript, file by file: `server/src/main.ts` becomes
 * `server/src/main.js`. Scripts stay what they are, line by line, so that threads find their files and stacks tell the truth.
 *
 * @param entry a source below `packages/`.
 * @throws Error when something is imported that no workspace depends on.
 */
export async function writeTree(entry: string, outDir: string): Promise<Tree> {
  const waiting = [join(PACKAGES, entry)];
  const seen = new Set(waiting);
  const dependencies: Record<string, string> = {};
  const add = (file: string) => {
    if (!seen.has(file)) waiting.push(file);
    seen.add(file);
  };
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = file;
    const owner = await workspaceOf(source);
    const script = stripTypeScriptTypes(await readFile(source, "utf8"));
    const targets = new Map<string, string>();
    for (const [, , specifier = ""] of script.matchAll(SPECIFIER)) {
      const target = await targetOf(specifier, source);
      if (target !== null) {
        add(target);
        targets.set(specifier, placeOf(target));
      } else if (!specifier.startsWith("node:")) {
        const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
        const version = owner.dependencies?.[name];
        if (version === undefined)
          throw new Error(`${relative(PACKAGES, source)} imports ${name}, which is no dependency`);
        dependencies[name] = version;
      }
    }
    for (const [, path = ""] of script.matchAll(FILE_URL)) {
      const target = resolve(dirname(source), path);
      if (target.endsWith(".ts")) add(target);
      else await copyData(target, outDir);
    }
    const place = placeOf(source);
    const written = script
      .replace(SPECIFIER, (whole, before: string, specifier: string) => {
        const target = targets.get(specifier);
        return target === undefined ? whole : `${before}"${relativeTo(place, target)}"`;
      })
      .replace(FILE_URL, (whole) => whole.replace('.ts"', '.js"'));
    await mkdir(dirname(join(outDir, place)), { recursive: true });
    await writeFile(join(outDir, place), `${written.replaceAll(/[ \t]+$/gm, "").trimEnd()}\n`);
  }
  return { dependencies, entry: placeOf(join(PACKAGES, entry)) };
}

/** The source in the workspaces that a specifier names; null for what is from elsewhere. */
async function targetOf(specifier: string, from: string): Promise<string | null> {
  if (specifier.startsWith(".")) return resolve(dirname(from), specifier);
  const [, name, subpath = ""] = /^@portico\/([a-z-]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  const target = (await manifestOf(name)).exports?.[`.${subpath}`];
  if (target === undefined) throw new Error(`${specifier} is not exported`);
  return join(PACKAGES, name, target);
}

/** A manifest is cut down to what names its package; a folder of built files is copied. */
async function copyData(target: string, outDir: string): Promise<void> {
  const path = relative(PACKAGES, target);
  if (path.endsWith("/package.json")) {
    const { name, version } = await manifestOf(dirname(path));
    await mkdir(join(outDir, dirname(path)), { recursive: true });
    await writeFile(
      join(outDir, path),
      `${JSON.stringify({ name, version, private: true, type: "module" }, null, 2)}\n`,
    );
  } else {
    await cp(target, join(outDir, path), { recursive: true });
  }
}

async function workspaceOf(file: string): Promise<Workspace> {
  const [name = ""] = relative(PACKAGES, file).split("/");
  return await manifestOf(name);
}

async function manifestOf(folder: string): Promise<Workspace> {
  return JSON.parse(await readFile(join(PACKAGES, folder, "package.json"), "utf8"));
}

function placeOf(source: string): string {
  return relative(PACKAGES, source).replace(/\.ts$/, ".js");
}

function relativeTo(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
