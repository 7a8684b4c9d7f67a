import { chown, mkdtemp, readFile, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The user that a server runs as. */
export interface User {
  uid: number;
  gid: number;
}

const OVERFLOW_ID = 65_534;
const OTHERS_MAY_ENTER = 0o001;

/** The user for a server that refuses to run as root: an existing one if this process is root, else undefined. */
export async function findUnprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = await readFile("/etc/passwd", "utf8");
  for (const name of ["postgres", "nobody"]) {
    const account = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "m").exec(accounts);
    if (account) return { uid: Number(account[1]), gid: Number(account[2]) };
  }
  return { uid: OVERFLOW_ID, gid: OVERFLOW_ID };
}

/** Creates a temporary directory owned by `user`, who can also reach it; in `preferred`, if it is given and this holds there. */
export async function createTempDir(
  prefix: string,
  user: User | undefined,
  preferred: string | null = null,
): Promise<string> {
  if (!user) return mkdtemp(join(preferred ?? tmpdir(), prefix));
  const dir = await mkdtemp(join(await findReachableBase(preferred), prefix));
  await chown(dir, user.uid, user.gid);
  return dir;
}

async function findReachableBase(preferred: string | null): Promise<string> {
  const candidates = [...(preferred ? [preferred] : []), tmpdir(), "/tmp", "/var/tmp"];
  for (const candidate of candidates) {
    if (await canOthersReach(candidate)) return candidate;
  }
  throw new Error(`an unprivileged user can reach none of ${candidates.join(", ")}`);
}

async function canOthersReach(dir: string): Promise<boolean> {
  try {
    let path = await realpath(dir);
    for (;;) {
      const { mode } = await stat(path);
      if ((mode & OTHERS_MAY_ENTER) === 0) return false;
      if (path === dirname(path)) return true;
      path = dirname(path);
    }
  } catch {
    return false;
  }
}
