import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { FailureError } from "./command.ts";
import { withLock } from "./file-lock.ts";
import { codeOf } from "./input.ts";
import { textOf } from "./json.ts";
import { uninterrupted } from "./uninterrupted.ts";

/** What every saved login has: never a password or an access token. */
interface KeptTokens {
  /** The service that the login belongs to; it is sent nowhere else. */
  baseUrl: string;
  /** Can be used once. */
  refreshToken: string;
}

/** A developer's login that is saved between commands. */
export interface SavedDeveloper extends KeptTokens {
  kind: "developer";
  /** Its name; undefined for the one that is used where none is named. */
  name?: string | undefined;
  developerId: string;
}

/** A member's login that is saved between commands; it always has a name. */
export interface SavedMember extends KeptTokens {
  kind: "member";
  name: string;
  tenantId: string;
  username: string;
  userId: string;
}

export type SavedLogin = SavedDeveloper | SavedMember;

/**
 * The login saved by `portico login`, with `--as` if it has a name; undefined when there is none.
 *
 * @throws FailureError when the file cannot be read or is damaged.
 */
export async function readSavedLogin(name?: string): Promise<SavedLogin | undefined> {
  const file = loginFile(name);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new FailureError(`cannot read ${file}: ${codeOf(error)}`);
  }
  const login = parseLogin(text, name);
  if (login === undefined) throw new FailureError(`${file} is damaged; remove it, then run \`portico login\``);
  return login;
}

/** The login without a name, which is a developer's; else as {@link readSavedLogin}. */
export async function readUnnamedLogin(): Promise<SavedDeveloper | undefined> {
  const login = await readSavedLogin();
  return login?.kind === "developer" ? login : undefined;
}

/** The names of the saved logins, in alphabetical order; undefined stands for the one without a name. */
export async function savedNames(): Promise<(string | undefined)[]> {
  const unnamed = await readdir(dirname(loginFile())).then(
    (files) => files.includes(basename(loginFile())),
    () => false,
  );
  const files = await readdir(dirname(loginFile("any"))).catch(() => []);
  const names = files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).filter(isLoginName);
  return [...(unnamed ? [undefined] : []), ...names.toSorted()];
}

/** Whether a text can name a login: it becomes the name of a file, on every system. */
export function isLoginName(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text);
}

/** The path of a saved login. */
export function loginFile(name?: string): string {
  // A relative path must be ignored (XDG Base Directory Specification).
  const configured = process.env.XDG_CONFIG_HOME ?? "";
  const own = join(isAbsolute(configured) ? configured : join(homedir(), ".config"), "portico");
  return name === undefined ? join(own, "login.json") : join(own, "logins", `${name}.json`);
}

/**
 * Runs `work` while no other command changes the login of this name, and without interruption.
 *
 * @throws FailureError when the file cannot be locked.
 */
export async function exclusively<Result>(name: string | undefined, work: () => Promise<Result>): Promise<Result> {
  const file = loginFile(name);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new FailureError(`cannot make ${dirname(file)}: ${codeOf(error)}`);
  }
  return await withLock(`${file}.lock`, () => uninterrupted(work));
}

/** Call it with the lock held. A concurrent reader sees either the complete old file or the complete new one. */
export async function writeLogin({ name, kind: _kind, ...login }: SavedLogin): Promise<void> {
  const file = loginFile(name);
  const next = `${file}.new`;
  try {
    await rm(next, { force: true });
    const handle = await open(next, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(login, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw new FailureError(`cannot write ${file}: ${codeOf(error)}`);
  }
}

function parseLogin(text: string, name: string | undefined): SavedLogin | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const [baseUrl = "", refreshToken = ""] = ["baseUrl", "refreshToken"].map((field) => textOf(value, field));
  // The values are used in a header and in a URL.
  if (!/^https?:\/\//.test(baseUrl) || !/^[\w-]+$/.test(refreshToken)) return undefined;
  const developerId = textOf(value, "developerId");
  if (developerId !== undefined) {
    return { kind: "developer", baseUrl, developerId, refreshToken, ...(name !== undefined && { name }) };
  }
  const [tenantId, username, userId] = ["tenantId", "username", "userId"].map((field) => textOf(value, field));
  if (name === undefined || tenantId === undefined || username === undefined || userId === undefined) return undefined;
  return { kind: "member", name, baseUrl, tenantId, username, userId, refreshToken };
}
