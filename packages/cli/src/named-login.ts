import { Option } from "@commander-js/extra-typings";
import { FailureError, UsageError } from "./command.ts";
import { isLoginName, readSavedLogin, type SavedLogin } from "./login-file.ts";
import { baseUrlOf } from "./stored-settings.ts";

/** The option that names a saved login. */
export function nameOption(description: string) {
  return new Option("--as <NAME>", description).argParser((text: string) => {
    if (isLoginName(text)) return text;
    throw new UsageError("--as must be a name of small letters, digits, - and _, such as work or operator");
  });
}

/**
 * The saved login of this name and kind; no other service may be named besides.
 *
 * @throws UsageError when it is of the other kind or for another service; FailureError when there is none.
 */
export async function namedLogin<Kind extends SavedLogin["kind"]>(
  kind: Kind,
  name: string,
  baseUrl: string | undefined,
): Promise<Extract<SavedLogin, { kind: Kind }>> {
  const saved = await readSavedLogin(name);
  if (saved === undefined) {
    const made = `portico login ${kind === "member" ? "--member " : ""}--as ${name}`;
    throw new FailureError(
      `there is no login "${name}": \`portico logins\` lists those there are, \`${made}\` makes it`,
    );
  }
  if (!isOf(kind, saved)) {
    throw new UsageError(
      `the login "${name}" is a ${saved.kind}'s, and a ${kind}'s is needed; \`portico logins\` lists both`,
    );
  }
  if (baseUrl !== undefined && baseUrlOf({ baseUrl }, { profile: undefined, demo: undefined }) !== saved.baseUrl) {
    throw new UsageError(`the login "${name}" is for ${saved.baseUrl}: leave --base-url out`);
  }
  return saved;
}

function isOf<Kind extends SavedLogin["kind"]>(
  kind: Kind,
  saved: SavedLogin,
): saved is Extract<SavedLogin, { kind: Kind }> {
  return saved.kind === kind;
}
