import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
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
  /** The service that the login belongs to; it is sent nowhere else. */
  baseUrl: string;
  developerId: string;
  /** Can be used once. */
  refreshToken: string;
}

/**
 * The login saved by `portico login`, if there is one.
 *
 * @throws FailureError when the file cannot be read or is damaged.
 */
export async function readSavedLogin(): Promise<SavedLogin | undefined> {
  const file = loginFile();
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new FailureError(`cannot read ${file}: ${codeOf(error)}`);
  }
  const login = parseLogin(text);
  if (login === undefined) throw new FailureError(`${file} is damaged; remove it, then run \`portico login\``);
  return login;
}

/**
 * Saves a login.
 *
 * @returns the previous one, if any. Ends neither.
 */
export async function keepLogin(login: SavedLogin): Promise<SavedLogin | undefined> {
  return await exclusively(async () => {
    // A damaged file is replaced.
    const former = await readSavedLogin().catch(() => undefined);
    await write(login);
    return former;
  });
}

/** Deletes the saved login and returns it. */
export async function forgetLogin(): Promise<SavedLogin | undefined> {
  return await exclusively(async () => {
    const former = await readSavedLogin().catch(() => undefined);
    await rm(loginFile(), { force: true });
    return former;
  });
}

/**
 * Refreshes the saved login. The service treats a refresh token that is used twice as stolen and ends the login. So
 * only one command at a time refreshes it, with the token that the previous one saved.
 *
 * @throws FailureError when the login has ended, here or at the service; ConsoleRefusedError or TransportError.
 */
export async function renewSavedLogin({ baseUrl, developerId }: SavedLogin): Promise<Session> {
  const again = `run \`portico login --base-url ${baseUrl}\``;
  return await exclusively(async () => {
    const now = await readSavedLogin();
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

/** The path of the saved login. */
export function loginFile(): string {
  // A relative path must be ignored (XDG Base Directory Specification).
  const configured = process.env.XDG_CONFIG_HOME ?? "";
  return join(isAbsolute(configured) ? configured : join(homedir(), ".config"), "portico", "login.json");
}

async function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
  const file = loginFile();
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new FailureError(`cannot make ${dirname(file)}: ${codeOf(error)}`);
  }
  return await withLock(`${file}.lock`, () => uninterrupted(work));
}

/** Call it with the lock held. A concurrent reader sees either the complete old file or the complete new one. */
async function write(login: SavedLogin): Promise<void> {
  const file = loginFile();
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
