import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import type { Encoding, StaticFile } from "../common/send-static-file.ts";

/** What the build appends to the name of a file that is compressed so. */
const SUFFIXES = { br: ".br", gzip: ".gz" } as const;

/** Any other file is not served: source maps would take more memory than all the rest. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

const MOST_FILES = 4_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads the files of a folder and of those below it, each in its compressed forms, or plain where it has none in gzip. They
 * are kept in memory: so a request opens no file, can name none that is not among them, and holds nothing of its own however
 * slowly it is read. They are read synchronously, as the service starts: each asynchronous reading of so small a file takes
 * ten times as long.
 *
 * @returns the files by their paths below the folder, with `/` between names; null when there is no such folder.
 * @throws Error when there is more than the pages can be.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, StaticFile> | null {
  const names = namesBelow(folder);
  if (names === null) return null;
  const files = new Map<string, StaticFile>();
  let bytes = 0;
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bodies = new Map<Encoding, Buffer>();
    for (const [encoding, suffix] of Object.entries({ ...SUFFIXES, identity: "" })) {
      if (suffix !== "" && !names.has(name + suffix)) continue;
      bytes += statSync(join(folder, name + suffix)).size;
      if (bytes > MOST_BYTES) throw new Error(`the pages in ${folder} are larger than ${MOST_BYTES} bytes`);
      bodies.set(encoding as Encoding, readFileSync(join(folder, name + suffix)));
    }
    const hash = createHash("sha256").update(bodies.get("identity") ?? "");
    // Few clients take no gzip, and the plain forms are half of what the pages take.
    if (bodies.has("gzip")) bodies.delete("identity");
    files.set(name, { type, hash: hash.digest("base64url"), bodies });
  }
  return files;
}

function namesBelow(folder: string): ReadonlySet<string> | null {
  const entries = entriesBelow(folder);
  if (entries === null) return null;
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"));
  if (names.length > MOST_FILES) throw new Error(`there are more than ${MOST_FILES} files in ${folder}`);
  return new Set(names);
}

function entriesBelow(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
