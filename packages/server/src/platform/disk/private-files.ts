import { accessSync, chmodSync, constants, existsSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { chmod, lstat, opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { ConfigError } from "../config/config-error.ts";
import { isDiskFull } from "./disk-full.ts";
import { makeDirectory } from "./make-directory.ts";
import { syncDirectory } from "./sync-directory.ts";

/** Modes of files and folders: only the service's account has access. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
const MODE_BITS = 0o7777;

/** Where a restore works inside the data directory, until everything in it is complete. */
export const RESTORE_FOLDER = ".restoring";

/**
 * Creates the data directory if necessary, and restricts access to it and to its direct entries (database, master key)
 * to the service's account. Deeper files are then inside protected folders; {@link restrictBelow} protects them as well.
 *
 * @throws ConfigError when it cannot be made or used; when a restore into it is not complete, since whoever goes on would make a new
 * store beside its files.
 */
export async function openDataDir(directory: string, log: Logger): Promise<void> {
  if (existsSync(join(directory, RESTORE_FOLDER))) {
    throw new ConfigError(
      `a restore into ${directory} was interrupted: run the same \`portico restore\` again, or empty the directory`,
    );
  }
  await makeDataDir(directory);
  const failures = new Failures();
  failures.catch(() => chmodSync(directory, DIRECTORY_MODE));
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    failures.catch(() => {
      const mode = modeToSet(lstatSync(path));
      if (mode !== null) chmodSync(path, mode);
    });
  }
  failures.tell(log);
}

/**
 * Creates the data directory if necessary.
 *
 * @throws ConfigError when it cannot be made or used, with the reason in words.
 */
export async function makeDataDir(directory: string): Promise<void> {
  try {
    const made = makeDirectory(directory, DIRECTORY_MODE);
    if (made !== undefined) await syncDirectory(dirname(made));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    throw new ConfigError(
      `the data directory ${directory} cannot be used: ${directoryFault(error)}; name another with PORTICO_DATA_DIR`,
      { cause: error },
    );
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  EEXIST: "it is no directory",
  ENOTDIR: "something above it is no directory",
  EACCES: "this account may not write there",
  EPERM: "this account may not write there",
  EROFS: "the file system is read-only",
  ENOENT: "nothing can be made there",
  ELOOP: "its symbolic links lead nowhere",
  ENAMETOOLONG: "the name is too long",
};

/** Why a directory cannot be used, in words. */
export function directoryFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  return FAULTS[code] === undefined ? error.message : `${FAULTS[code]} (${code})`;
}

/**
 * Restricts access to everything below `directory`, one entry after another, so that many entries do not block other
 * work. Symbolic links and their targets are not touched. Never rejects.
 */
export async function restrictBelow(directory: string, log: Logger, signal: AbortSignal): Promise<void> {
  const failures = new Failures();
  const folders = [directory];
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    try {
      for await (const { name } of await opendir(folder)) {
        if (signal.aborted) break;
        const path = join(folder, name);
        if (await restrictEntry(path, failures)) folders.push(path);
      }
    } catch (error) {
      failures.add(error);
    }
  }
  failures.tell(log);
}

/** Restricts access to the entry. Returns whether it is a folder. */
async function restrictEntry(path: string, failures: Failures): Promise<boolean> {
  try {
    const found = await lstat(path);
    const mode = modeToSet(found);
    if (mode !== null) await chmod(path, mode);
    return found.isDirectory();
  } catch (error) {
    failures.add(error);
    return false;
  }
}

/** The correct mode of a file or folder that has another one. */
function modeToSet(found: Stats): number | null {
  if (!found.isFile() && !found.isDirectory()) return null;
  const mode = found.isDirectory() ? DIRECTORY_MODE : FILE_MODE;
  return (found.mode & MODE_BITS) === mode ? null : mode;
}

/** Collects entries that cannot be changed (other owner, file system without modes), for the operator. */
class Failures {
  #count = 0;
  #first: unknown;

  catch(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.add(error);
    }
  }

  add(error: unknown): void {
    // It was removed meanwhile.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    if (this.#count++ === 0) this.#first = error;
  }

  tell(log: Logger): void {
    if (this.#count === 0) return;
    log.warn({ err: this.#first, count: this.#count }, "files of the data directory could not be closed to others");
  }
}
