import { type Command, UsageError } from "../command.ts";
import { beginSession, type Session, signInClient } from "../console-session.ts";
import { codeOption, type LoginOptions, newLogin, serviceAddress, withLogin } from "../developer-settings.ts";
import { invalidAnswer } from "../invalid-answer.ts";
import { loginFile, type SavedLogin } from "../login-file.ts";
import { beginMemberSession } from "../member-session.ts";
import { type MemberOptions, newMemberLogin } from "../member-settings.ts";
import { beginQrLogin } from "../qr-login.ts";
import { endAtService, keepLogin } from "../saved-login.ts";
import { complain, inOneLine, print, printJson } from "../terminal.ts";

/** `portico login`: signs a developer or a member in for later commands. */
export const login: Command = {
  name: "login",
  summary: "Sign a developer or a member in, for the commands to come",
  usage: "portico login [--as NAME] [--qr] [OPTIONS]",
  notes: `What is missing is asked for. Without options, the demo developer of ./data/demo.json is signed in if that file exists.
The login is kept in $XDG_CONFIG_HOME/portico/login.json (by default in ~/.config), for this user's eyes only: never the
password, but a token that each command renews. It lasts for 30 days after the last of them, or until \`portico logout\`. With --as it
is kept beside others, under its name; \`portico logins\` lists them. A member's login always has a name, which is a developer's or
a member's, and not both.`,
  examples: [
    "portico login --base-url https://portico.example.com --phone 13800000001",
    "portico login --phone 13800000001 --password-file - < password",
    "portico login --phone 13800000001 --password-file password --code-stdin < code",
    "portico login --base-url https://portico.example.com --qr",
    "portico login --as operator --phone 13800000002",
    "portico login --member --tenant t_acme --user ann --as ann",
  ],
  advice: {
    "400001": "Check tenant, username and password.",
    "403": "Wait for the authenticator's next code; one that was used is not accepted again.",
  },
  configure: (command) =>
    withLogin(
      command
        .option("--qr", "show a QR code for the messenger to scan, instead of asking for a password")
        .option("--member", "sign a member in instead of a developer, for the --as of say, read, ...")
        .option("--tenant <ID>", "the member's tenant")
        .option("--user <NAME>", "the member's username")
        .option(
          "--json",
          "print {name or null, baseUrl, developerId, developerName or null}, of a member {name, baseUrl, tenantId, username, userId, userName}",
        ),
    ).action(async (values) => {
      const { phone, password, channel, passwordFile, tenant, user, code, codeStdin } = values;
      const isGiven = (...options: unknown[]) => options.some((given) => given !== undefined);
      if (values.member) {
        if (values.qr || isGiven(phone, channel, code, codeStdin))
          throw new UsageError("--member takes --tenant, --user and a password");
        return await signMemberIn(values);
      }
      if (isGiven(tenant, user)) throw new UsageError("--tenant and --user go with --member");
      if (values.qr && isGiven(phone, password, channel, passwordFile)) {
        throw new UsageError("--qr needs no phone number and no password: who scans the code is signed in");
      }
      await signDeveloperIn(values);
    }),
};

interface Options {
  qr?: boolean | undefined;
  json?: boolean | undefined;
}

async function signDeveloperIn(values: Options & LoginOptions): Promise<void> {
  const { as: name, qr = false, json = false } = values;
  const found = qr ? { baseUrl: await serviceAddress(values) } : await newLogin(values);
  const { baseUrl } = found;
  const session: Session =
    "phone" in found ? await beginSession(found) : await beginQrLogin(baseUrl, await codeOption(values));
  const { accessToken, refreshToken = invalidAnswer("a login"), developerId } = session;
  await keep({ kind: "developer", name, baseUrl, developerId, refreshToken });
  const developer = await nameOf(baseUrl, accessToken);
  if (json) printJson({ name: name ?? null, baseUrl, developerId, developerName: developer ?? null });
  else print(inOneLine(`signed in at ${baseUrl} as ${developer ?? developerId}`));
  tellPlace(name);
}

async function signMemberIn(values: Options & MemberOptions): Promise<void> {
  const { as: name, json = false } = values;
  if (name === undefined) {
    throw new UsageError("--member needs --as NAME: the login without a name is a developer's");
  }
  const found = await newMemberLogin(values);
  const { baseUrl } = found;
  const { user, refreshToken = invalidAnswer("a login") } = await beginMemberSession(found);
  const { tenantId, username, userId, name: userName } = user;
  await keep({ kind: "member", name, baseUrl, tenantId, username, userId, refreshToken });
  if (json) printJson({ name, baseUrl, tenantId, username, userId, userName });
  else print(inOneLine(`signed in at ${baseUrl} as ${userName} (${username} of ${tenantId})`));
  tellPlace(name);
}

/** Saves a new login and ends the one that it replaces. */
async function keep(login: SavedLogin): Promise<void> {
  try {
    const former = await keepLogin(login);
    const isEnded = former === undefined || (await endAtService(former));
    if (!isEnded) complain("The login that was kept so far could not be ended at its service; it will end by itself.");
  } catch (error) {
    await endAtService(login);
    throw error;
  }
}

function tellPlace(name: string | undefined): void {
  const named = name === undefined ? "" : ` --as ${name}`;
  complain(`The login is kept in ${loginFile(name)}; \`portico logout${named}\` ends it.`);
}

/** The developer's name; if it cannot be read, the login still counts as successful. */
async function nameOf(baseUrl: string, accessToken: string): Promise<string | undefined> {
  return await signInClient({ baseUrl, accessToken })
    .client.getMe()
    .then(
      ({ name }) => name,
      () => undefined,
    );
}
