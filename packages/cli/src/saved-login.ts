import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { ConsoleRefusedError } from "@portico/protocol/client";
import { FailureError } from "./command.ts";
import { endSession, renewSession, type Session } from "./console-session.ts";
import { withLock } from "./file-lock.ts";
import { codeOf } from "./input.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import { textOf } from "./json.ts";
import { uninterrupted } from "./uninterrupted.ts";

/** A login that is saved between commands: never a password or an access token. */
export interface SavedLogin {
  /** Its name; undefined for the one that is used where none is named. */
  name?: string | undefined;
  /** The service that the login belongs to; it is sent nowhere else. */
  baseUrl: string;
  developerId: string;
  /** Can be used once. */
  refreshToken: string;
}

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
  const login = parseLogin(text);
  if (login === undefined) throw new FailureError(`${file} is damaged; remove it, then run \`portico login\``);
  return name === undefined ? login : { ...login, name };
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

/**
 * Saves a login.
 *
 * @returns the previous one, if any. Ends neither.
 */
export async function keepLogin(login: SavedLogin): Promise<SavedLogin | undefined> {
  return await exclusively(login.name, async () => {
    // A damaged file is replaced.
    const former = await readSavedLogin(login.name).catch(() => undefined);
    await write(login);
    return former;
  });
}

/** Deletes a saved login and returns it. */
export async function forgetLogin(name?: string): Promise<SavedLogin | undefined> {
  return await exclusively(name, async () => {
    const former = await readSavedLogin(name).catch(() => undefined);
    await rm(loginFile(name), { force: true });
    return former;
  });
}

/**
 * Refreshes the saved login. The service treats a refresh token that is used twice as stolen and ends the login. So
 * only one command at a time refreshes it, with the token that the previous one saved.
 *
 * @throws FailureError when the login has ended, here or at the service; ConsoleRefusedError or TransportError.
 */
export async function renewSavedLogin({ name, baseUrl, developerId }: SavedLogin): Promise<Session> {
  const again = `run \`portico login --base-url ${baseUrl}${name === undefined ? "" : ` --as ${name}`}\``;
  return await exclusively(name, async () => {
    const now = await readSavedLogin(name);
    if (now?.baseUrl !== baseUrl || now.developerId !== developerId) {
      throw new FailureError(`another command has ended or replaced the login that was kept; ${again}`);
    }
    try {
      const session = await renewSession(baseUrl, now.refreshToken);
      await write({ ...now, refreshToken: session.refreshToken ?? invalidAnswer("a renewal of the login") });
      return session;
    } catch (error) {
      if (!(error instanceof ConsoleRefusedError) || error.status !== 401) throw error;
      throw new FailureError(`the login that was kept has ended or expired; ${again}`);
    }
  });
}

/**
 * Ends a login at the service.
 *
 * @returns whether it succeeded.
 */
export async function endAtService({ baseUrl, refreshToken }: SavedLogin): Promise<boolean> {
  return await endSession(baseUrl, refreshToken).then(
    () => true,
    () => false,
  );
}

/** The path of a saved login. */
export function loginFile(name?: string): string {
  // A relative path must be ignored (XDG Base Directory Specification).
  const configured = process.env.XDG_CONFIG_HOME ?? "";
  const own = join(isAbsolute(configured) ? configured : join(homedir(), ".config"), "portico");
  return name === undefined ? join(own, "login.json") : join(own, "logins", `${name}.json`);
}

async function exclusively<Result>(name: string | undefined, work: () => Promise<Result>): Promise<Result> {
  const file = loginFile(name);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new FailureError(`cannot make ${dirname(file)}: ${codeOf(error)}`);
  }
  return await withLock(`${file}.lock`, () => uninterrupted(work));
}

/** Call it with the lock held. A concurrent reader sees either the complete old file or the complete new one. */
async function write({ name, ...login }: SavedLogin): Promise<void> {
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

function parseLogin(text: string): SavedLogin | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const [baseUrl, developerId, refreshToken] = ["baseUrl", "developerId", "refreshToken"].map((name) =>
    textOf(value, name),
  );
  // The values are used in a header and in a URL.
  const isWhole =
    developerId !== undefined && /^https?:\/\//.test(baseUrl ?? "") && /^[\w-]+$/.test(refreshToken ?? "");
  return isWhole ? { baseUrl: baseUrl ?? "", developerId, refreshToken: refreshToken ?? "" } : undefined;
}
