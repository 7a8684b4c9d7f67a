import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The path of a program in the directories of `searchPath` (in the format of PATH), or undefined. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  for (const dir of searchPath.split(delimiter)) {
    const program = join(dir, name);
    try {
      await access(program, constants.X_OK);
      return program;
    } catch {
      // Not in this directory.
    }
  }
  return undefined;
}
