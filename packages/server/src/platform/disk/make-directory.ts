import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory and those above it that are missing. Node's own `recursive` tries for ever where the one above is there and
 * nothing can be made in it, as in `/proc`, or is a file.
 *
 * @returns the first directory that was made; undefined when there was nothing to make.
 * @throws the system's error.
 */
export function makeDirectory(directory: string, mode: number): string | undefined {
  try {
    mkdirSync(directory, { mode });
    return directory;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST" && statSync(directory).isDirectory()) return undefined;
    if (code !== "ENOENT" || dirname(directory) === directory) throw error;
  }
  const above = makeDirectory(dirname(directory), mode);
  mkdirSync(directory, { mode });
  return above ?? directory;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
