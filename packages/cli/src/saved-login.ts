import { rm } from "node:fs/promises";
import { ConsoleRefusedError } from "@portico/protocol/client";
import { ApiRefusedError } from "@portico/sdk";
import { FailureError } from "./command.ts";
import { endSession, renewSession, type Session } from "./console-session.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import {
  exclusively,
  loginFile,
  readSavedLogin,
  type SavedDeveloper,
  type SavedLogin,
  type SavedMember,
  writeLogin,
} from "./login-file.ts";
import { endMemberSession, type MemberSession, renewMemberSession } from "./member-session.ts";

/**
 * Saves a login.
 *
 * @returns the previous one, if any. Ends neither.
 */
export async function keepLogin(login: SavedLogin): Promise<SavedLogin | undefined> {
  return await exclusively(login.name, async () => {
    // A damaged file is replaced.
    const former = await readSavedLogin(login.name).catch(() => undefined);
    await writeLogin(login);
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

/** {@link renew} for a developer. */
export async function renewSavedLogin(login: SavedDeveloper): Promise<Session> {
  return await renew(login, (token) => renewSession(login.baseUrl, token));
}

/** {@link renew} for a member. */
export async function renewSavedMember(login: SavedMember): Promise<MemberSession> {
  return await renew(login, (token) => renewMemberSession(login.baseUrl, token));
}

/**
 * Refreshes the saved login. The service treats a refresh token that is used twice as stolen and ends the login. So
 * only one command at a time refreshes it, with the token that the previous one saved.
 *
 * @throws FailureError when the login has ended, here or at the service; the errors of its API.
 */
async function renew<Given extends { refreshToken: string | undefined }>(
  login: SavedLogin,
  exchange: (refreshToken: string) => Promise<Given>,
): Promise<Given> {
  const again = `run \`${signInCommand(login)}\``;
  return await exclusively(login.name, async () => {
    const now = await readSavedLogin(login.name);
    if (now === undefined || now.baseUrl !== login.baseUrl || accountOf(now) !== accountOf(login)) {
      throw new FailureError(`another command has ended or replaced the login that was kept; ${again}`);
    }
    try {
      const given = await exchange(now.refreshToken);
      await writeLogin({ ...now, refreshToken: given.refreshToken ?? invalidAnswer("a renewal of the login") });
      return given;
    } catch (error) {
      if (!isUnknownLogin(error)) throw error;
      throw new FailureError(`the login that was kept has ended or expired; ${again}`);
    }
  });
}

/**
 * Ends a login at the service.
 *
 * @returns whether it succeeded.
 */
export async function endAtService(login: SavedLogin): Promise<boolean> {
  const end = login.kind === "member" ? endMemberSession : endSession;
  return await end(login.baseUrl, login.refreshToken).then(
    () => true,
    () => false,
  );
}

function signInCommand(login: SavedLogin): string {
  const named = login.name === undefined ? "" : ` --as ${login.name}`;
  if (login.kind === "developer") return `portico login --base-url ${login.baseUrl}${named}`;
  const { baseUrl, tenantId, username } = login;
  return `portico login --member --base-url ${baseUrl} --tenant ${tenantId} --user ${username}${named}`;
}

function accountOf(login: SavedLogin): string {
  return login.kind === "member" ? `member ${login.userId}` : `developer ${login.developerId}`;
}

function isUnknownLogin(error: unknown): boolean {
  if (error instanceof ConsoleRefusedError) return error.status === 401;
  return error instanceof ApiRefusedError && error.httpStatus === 401;
}
