import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Encoding, StaticFile } from "../common/send-static-file.ts";

/** The forms of a file, best first, and what the build appends to its name for each. */
const FORMS: readonly (readonly [Encoding, suffix: string])[] = [
  ["br", ".br"],
  ["gzip", ".gz"],
  ["identity", ""],
];

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
  const names = namesIn(folder);
  if (names === null) return null;
  const files = new Map<string, StaticFile>();
  let bytes = 0;
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bodies = new Map<Encoding, Buffer>();
    for (const [encoding, suffix] of FORMS) {
      // Few clients take no gzip, and the plain forms are half of what the pages take.
      if (!names.has(name + suffix) || (encoding === "identity" && bodies.has("gzip"))) continue;
      const body = readFileSync(join(folder, name + suffix));
      bytes += body.length;
      if (bytes > MOST_BYTES) throw new Error(`the pages in ${folder} are larger than ${MOST_BYTES} bytes`);
      bodies.set(encoding, body);
    }
    const hash = createHash("sha256").update(bodies.get("gzip") ?? bodies.get("identity") ?? "");
    files.set(name, { type, hash: hash.digest("base64url"), bodies });
  }
  return files;
}

function namesIn(folder: string): ReadonlySet<string> | null {
  const names = new Set<string>();
  try {
    for (const name of namesBelow(folder, "")) {
      if (names.size === MOST_FILES) throw new Error(`there are more than ${MOST_FILES} files in ${folder}`);
      names.add(name);
    }
    return names;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** @param path of a folder below it, with a slash behind each name. */
function* namesBelow(folder: string, path: string): Iterable<string> {
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    if (entry.isDirectory()) yield* namesBelow(folder, `${path}${entry.name}/`);
    else if (entry.isFile()) yield path + entry.name;
  }
}
