import { fileURLToPath } from "node:url";
import { plainBody, type StaticFile } from "../common/send-static-file.ts";
import { readPageFiles } from "./page-files.ts";

/** The pages by their index files, as the build names them. */
export const PAGES = {
  start: "index.html",
  console: "console/index.html",
  messenger: "messenger/index.html",
  desk: "desk/index.html",
  docs: "docs/index.html",
} as const;
export type PageName = keyof typeof PAGES;

/** The widget: the page of its frame, and the script that sites include. A build of its own makes them. */
export const WIDGET_FRAME = "widget/index.html";
export const WIDGET_LOADER = "widget.js";

/** What the build makes: the pages, and the files that they load. */
export interface BuiltPages {
  files: ReadonlyMap<string, StaticFile>;
  /** Paths of the files whose names have the hash of their content in them. */
  hashed: ReadonlySet<string>;
  /** Paths of the files that the console loads. */
  console: ReadonlySet<string>;
  /** Paths of the files that the other pages load. */
  others: ReadonlySet<string>;
}

const MANIFEST = ".vite/manifest.json";
const WIDGET_MANIFEST = ".vite/widget.json";

/** What of a chunk is told as a list of names. */
const LISTS = ["imports", "dynamicImports", "css", "assets"] as const;

interface Chunk extends Partial<Record<(typeof LISTS)[number], string[]>> {
  file: string;
  isEntry?: boolean;
}
type Manifest = Record<string, Chunk>;

/**
 * Reads what `npm run build` has made of the pages.
 *
 * @returns null when they have not been built.
 * @throws Error when what is there cannot be the pages.
 */
export function readBuiltPages(folder: URL): BuiltPages | null {
  const files = readPageFiles(fileURLToPath(folder));
  if (files === null) return null;
  if (Object.values(PAGES).some((name) => !files.has(name))) return null;
  const ofWidget = files.get(WIDGET_MANIFEST);
  const manifest = { ...readManifest(files.get(MANIFEST)), ...(ofWidget && readManifest(ofWidget)) };
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const ofEntries = (some: string[]) =>
    new Set([...loadedBy(manifest, some), ...some.flatMap((key) => namedIn(files, key))]);
  const isConsole = (key: string) => key === PAGES.console;
  return {
    files,
    hashed: loadedBy(manifest, entries),
    console: ofEntries(entries.filter(isConsole)),
    others: ofEntries(entries.filter((key) => !isConsole(key))),
  };
}

/** The files that a page itself names; those that the build copies as they are stand in no manifest. */
function namedIn(files: ReadonlyMap<string, StaticFile>, page: string): string[] {
  const file = files.get(page);
  const html = (file && plainBody(file)?.toString("utf8")) ?? "";
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
}

function readManifest(file: StaticFile | undefined): Manifest {
  const manifest: unknown = JSON.parse((file && plainBody(file)?.toString("utf8")) ?? "null");
  if (!isManifest(manifest)) throw new Error(`${MANIFEST} is not one of Vite's manifests`);
  return manifest;
}

/** By hand: a schema takes longer to check its hundreds of chunks than it takes to read all files. */
function isManifest(value: unknown): value is Manifest {
  return isRecord(value) && Object.values(value).every(isChunk);
}

function isChunk(value: unknown): value is Chunk {
  if (!isRecord(value) || typeof value.file !== "string") return false;
  if (value.isEntry !== undefined && typeof value.isEntry !== "boolean") return false;
  return LISTS.every((name) => value[name] === undefined || isListOfNames(value[name]));
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The files that these entries load, directly or through others, at once or later. */
function loadedBy(manifest: Manifest, entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const pending = [...entries];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) continue;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
    pending.push(...(chunk.imports ?? []), ...(chunk.dynamicImports ?? []));
  }
  return files;
}
