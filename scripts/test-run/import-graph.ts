import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";

/** The references of one source to other files. */
interface Source {
  /** Absolute paths of files that it imports or starts as a process or thread. They need not exist. */
  imports: Set<string>;
  /** Its other quoted texts that may be paths. */
  texts: string[];
  /** Whether it opens files: only then may a text be the name of a folder. */
  opensFiles: boolean;
  /** Whether it lists folders: then it may read sources without naming them. */
  listsFolders: boolean;
}

/** A chain of dependencies, from a file to one that depends on it. */
export type Trail = readonly string[];

/** Group 1 is "type " when only types are imported. */
const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^;"']*?\sfrom\s+)?"([^"\n]+)"/g;
const OTHER_REFERENCE =
  /\b(?:import|require|import\.meta\.resolve)\(\s*"([^"\n]+)"|new URL\(\s*"([^"\n]+)",\s*import\.meta\.url/g;
const NOTHING: Source = { imports: new Set(), texts: [], opensFiles: false, listsFolders: false };
/** Folder names that say nothing about their content. */
const GENERIC = new Set(["", "packages", "src", "test"]);
const OPENS_FILES = /import\.meta\.(?:dirname|url|filename)|"node:fs/;
const LISTS_FOLDERS = /\b(?:readdir|glob)(?:Sync)?\(/;
const TEXT = /"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g;
const PATH_LIKE = /^[\w@.$\-/{}*]+$/;

/**
 * The dependencies of a repository's sources on files. Type-only imports do not count: they do not exist at run time.
 */
export class ImportGraph {
  readonly #root: string;
  readonly #sources: ReadonlyMap<string, Source>;

  private constructor(root: string, sources: ReadonlyMap<string, Source>) {
    this.#root = root;
    this.#sources = sources;
  }

  /** Reads `files`, absolute paths of TypeScript sources of the repository at `root`. */
  static async read(root: string, files: readonly string[]): Promise<ImportGraph> {
    const packages = await readPackages(root);
    const sources = await Promise.all(
      files.map(async (file) => [file, parse(file, await readFile(file, "utf8"), packages)] as const),
    );
    return new ImportGraph(root, new Map(sources));
  }

  /** All sources that depend on `file`, each with its shortest chain; `file` itself is first if it is a source. */
  dependentsOf(file: string): Map<string, Trail> {
    const found = new Map<string, Trail>();
    const queue = this.#sources.has(file) ? [file] : [];
    for (const source of queue) found.set(source, [source]);
    for (const source of this.#naming(file)) {
      if (found.has(source)) continue;
      found.set(source, [file, source]);
      queue.push(source);
    }
    for (const known of queue) {
      for (const [source, { imports }] of this.#sources) {
        if (found.has(source) || !imports.has(known)) continue;
        found.set(source, [...(found.get(known) ?? []), source]);
        queue.push(source);
      }
    }
    return found;
  }

  /** Sources that import a file, or that name it or one of its folders in a text. */
  #naming(file: string): string[] {
    const isSource = /\.tsx?$/.test(file);
    const folders = relative(this.#root, dirname(file)).split("/");
    const inside = new Set(folders.filter((folder) => !GENERIC.has(folder)));
    return [...this.#sources.keys()].filter((source) => {
      const { imports, texts, opensFiles, listsFolders } = this.#sources.get(source) ?? NOTHING;
      if (imports.has(file)) return true;
      const parts = texts.flatMap((text) => text.split("/"));
      return (
        parts.includes(basename(file)) ||
        ((isSource ? listsFolders : opensFiles) && parts.some((part) => inside.has(part)))
      );
    });
  }
}

/** The entry points of the repository's packages, by import specifier. */
async function readPackages(root: string): Promise<Map<string, string>> {
  const { workspaces } = await readJson(join(root, "package.json"));
  const entries = new Map<string, string>();
  for (const workspace of workspaces ?? []) {
    const { name, exports = {} } = await readJson(join(root, workspace, "package.json"));
    for (const [path, target] of Object.entries(exports)) {
      if (typeof target === "string") entries.set(join(name, path), resolve(root, workspace, target));
    }
  }
  return entries;
}

// biome-ignore lint/suspicious/noExplicitAny: npm defines what is in it.
async function readJson(path: string): Promise<any> {
  return JSON.parse(await readFile(path, "utf8"));
}

function parse(file: string, code: string, packages: ReadonlyMap<string, string>): Source {
  const imports = new Set<string>();
  const specifiers = new Set<string>();
  for (const [, isOfTypes, specifier = ""] of code.matchAll(IMPORT)) {
    specifiers.add(specifier);
    if (!isOfTypes) imports.add(locate(specifier));
  }
  for (const [, imported, located] of code.matchAll(OTHER_REFERENCE)) {
    const specifier = imported ?? located ?? "";
    specifiers.add(specifier);
    imports.add(locate(specifier));
  }
  const texts = [...code.matchAll(TEXT)].map(([, double, single, template]) => double ?? single ?? template ?? "");
  return {
    imports,
    texts: texts.filter((text) => PATH_LIKE.test(text) && !specifiers.has(text)),
    opensFiles: OPENS_FILES.test(code),
    listsFolders: LISTS_FOLDERS.test(code),
  };

  function locate(specifier: string): string {
    return specifier.startsWith(".") ? resolve(dirname(file), specifier) : (packages.get(specifier) ?? specifier);
  }
}
