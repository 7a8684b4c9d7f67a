import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { ConsoleRefusedError } from "@portico/sdk/console";
import { FailureError } from "./command.ts";
import { endSession, renewSession, type Session } from "./console-session.ts";
import { withLock } from "./file-lock.ts";
import { codeOf } from "./input.ts";
import { textOf } from "./json.ts";
import { uninterrupted } from "./uninterrupted.ts";
import { unpromised } from "./unpromised.ts";

/** A login that is kept from one command to the next: never the password, and no access token. */
export interface SavedLogin {
  /** Where it is good, and where alone it is sent. */
  baseUrl: string;
  developerId: string;
  /** Good for one renewal. */
  refreshToken: string;
}

/**
 * The login that `portico login` has kept, if there is one.
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

/** Keeps a login in the place of the one that may have been kept so far, which is returned; ends neither. */
export async function keepLogin(login: SavedLogin): Promise<SavedLogin | undefined> {
  return await exclusively(async () => {
    // One that is damaged is in nobody's way any more.
    const former = await readSavedLogin().catch(() => undefined);
    await write(login);
    return former;
  });
}

/** Removes the login that is kept, and returns it. */
export async function forgetLogin(): Promise<SavedLogin | undefined> {
  return await exclusively(async () => {
    const former = await readSavedLogin().catch(() => undefined);
    await rm(loginFile(), { force: true });
    return former;
  });
}

/**
 * Renews the login that is kept. The service takes a refresh token that comes a second time for a stolen one, and ends the
 * login: so one command at a time renews it, beginning with the token that the one before has left.
 *
 * @throws FailureError when it has ended, here or at the service; ConsoleRefusedError or TransportError.
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
      await write({ ...now, refreshToken: session.refreshToken ?? unpromised("a renewal of the login") });
      return session;
    } catch (error) {
      if (!(error instanceof ConsoleRefusedError) || error.status !== 401) throw error;
      throw new FailureError(`the login that was kept has ended or expired; ${again}`);
    }
  });
}

/** Ends a login at the service. Returns whether that has been done. */
export async function endAtService({ baseUrl, refreshToken }: SavedLogin): Promise<boolean> {
  return await endSession(baseUrl, refreshToken).then(
    () => true,
    () => false,
  );
}

/** Where the login is kept. */
export function loginFile(): string {
  // A relative path is to be ignored (XDG Base Directory Specification).
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

/** To be called with the lock. Whoever reads the file meanwhile finds the whole of what it held before, or the whole of what it holds now. */
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
  // What stands there goes into a header, and to an address.
  const isWhole =
    developerId !== undefined && /^https?:\/\//.test(baseUrl ?? "") && /^[\w-]+$/.test(refreshToken ?? "");
  return isWhole ? { baseUrl: baseUrl ?? "", developerId, refreshToken: refreshToken ?? "" } : undefined;
}
