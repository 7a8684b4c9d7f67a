import { botClient } from "../bot-client.ts";
import type { Command } from "../command.ts";
import { credentials, withCredentials } from "../settings.ts";
import { columns, isoTime, print, printable, printableJson } from "../terminal.ts";

/** `portico miniapp-session`: exchanges a mini-program's login code. */
export const miniappSession: Command = {
  name: "miniapp-session",
  summary: "Exchange a mini-program's login code for who has opened it",
  usage: "portico miniapp-session CODE [OPTIONS]",
  notes: `A code can be exchanged once, by the app it was made for, within two minutes. The session's key is a secret: it is shown
once, and the service does not keep it.`,
  examples: ["portico miniapp-session 0a1b2c3d"],
  arrange: codesLast,
  configure: (command) =>
    withCredentials(command.argument("<CODE>").option("--json", "print the answer's value as JSON")).action(
      async (code, values) => {
        const session = await botClient(await credentials(values)).miniapp.exchangeCode(code);
        if (values.json) return print(printableJson(JSON.stringify(session)));
        const rows = [
          ["openId", session.openId],
          ["unionId", session.unionId],
          ["sessionKey", session.sessionKey],
          ["until", isoTime(session.expiresAt)],
        ] as const;
        print(...columns(rows).map(printable));
      },
    ),
};

/** One code in 64 begins with a hyphen. It is longer than any option, so it can be recognised. */
function codesLast(args: readonly string[]): string[] {
  if (args.includes("--")) return [...args];
  const isCode = (arg: string) => /^-[\w-]{42}$/.test(arg);
  const codes = args.filter(isCode);
  return codes.length === 0 ? [...args] : [...args.filter((arg) => !isCode(arg)), "--", ...codes];
}
