import { type Command, UsageError } from "../command.ts";
import { beginSession, endSession, type Session, signInClient } from "../console-session.ts";
import { newLogin, serviceAddress, withLogin } from "../developer-settings.ts";
import { invalidAnswer } from "../invalid-answer.ts";
import { beginQrLogin } from "../qr-login.ts";
import { endAtService, keepLogin, loginFile } from "../saved-login.ts";
import { complain, inOneLine, print, printJson } from "../terminal.ts";

/** `portico login`: signs a developer in for later commands. */
export const login: Command = {
  name: "login",
  summary: "Sign a developer in, for the commands to come",
  usage: "portico login [--as NAME] [--qr] [OPTIONS]",
  notes: `What is missing is asked for. Without options, the demo developer of ./data/demo.json is signed in if that file exists.
The login is kept in $XDG_CONFIG_HOME/portico/login.json (by default in ~/.config), for this user's eyes only: never the
password, but a token that each command renews. It lasts for 30 days after the last of them, or until \`portico logout\`. With --as it
is kept beside others, under its name; \`portico logins\` lists them.`,
  examples: [
    "portico login --base-url https://portico.example.com --phone 13800000001",
    "portico login --phone 13800000001 --password-file - < password",
    "portico login --base-url https://portico.example.com --qr",
    "portico login --as operator --phone 13800000002",
  ],
  configure: (command) =>
    withLogin(
      command
        .option("--qr", "show a QR code for the messenger to scan, instead of asking for a password")
        .option("--json", "print {name or null, baseUrl, developerId, developerName or null}"),
    ).action(async (values) => {
      const { phone, password, channel, passwordFile } = values;
      if (values.qr && [phone, password, channel, passwordFile].some((given) => given !== undefined)) {
        throw new UsageError("--qr needs no phone number and no password: who scans the code is signed in");
      }
      if (values.qr) {
        const baseUrl = await serviceAddress(values);
        return await keep(baseUrl, await beginQrLogin(baseUrl), values);
      }
      const found = await newLogin(values);
      await keep(found.baseUrl, await beginSession(found), values);
    }),
};

async function keep(
  baseUrl: string,
  session: Session,
  { as: name, json = false }: { as?: string | undefined; json?: boolean | undefined },
): Promise<void> {
  const { accessToken, refreshToken = invalidAnswer("a login"), developerId } = session;
  try {
    const former = await keepLogin({ name, baseUrl, developerId, refreshToken });
    const isEnded = former === undefined || (await endAtService(former));
    if (!isEnded) complain("The login that was kept so far could not be ended at its service; it will end by itself.");
  } catch (error) {
    await endSession(baseUrl, refreshToken).catch(() => {});
    throw error;
  }
  const developer = await nameOf(baseUrl, accessToken);
  if (json) printJson({ name: name ?? null, baseUrl, developerId, developerName: developer ?? null });
  else print(inOneLine(`signed in at ${baseUrl} as ${developer ?? developerId}`));
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
