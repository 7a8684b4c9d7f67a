import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const IMPORT = /^@import "([^"]+)";$/gm;

/** A stylesheet with those that it imports in place of their imports, at every depth. */
export async function joinStyles(file: string): Promise<string> {
  const text = await readFile(file, "utf8");
  const paths = [...text.matchAll(IMPORT)].map(([, path = ""]) => path);
  const imported = await Promise.all(paths.map((path) => joinStyles(join(dirname(file), path))));
  return text.replace(IMPORT, () => imported.shift() ?? "");
}
