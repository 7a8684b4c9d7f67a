import type { Command } from "../command.ts";
import { MEMBER_ADVICE } from "../member-advice.ts";
import { memberApi } from "../member-api.ts";
import { memberLogin, withMember } from "../member-settings.ts";
import { complain, isoTime, print, printable, printableJson } from "../terminal.ts";

/** `portico miniapp-code`: opens a mini-program as a member, for its login code. */
export const miniappCode: Command = {
  name: "miniapp-code",
  summary: "Open a mini-program as a member, for its login code",
  usage: "portico miniapp-code APP_ID [OPTIONS]",
  notes: `The code stands alone on standard output. The app exchanges it once, with \`portico miniapp-session CODE\` or by itself.`,
  examples: [
    "portico miniapp-code app_demo_mini",
    'portico miniapp-session "$(portico miniapp-code app_1)" --profile app_1.json',
  ],
  asMember: true,
  advice: {
    ...MEMBER_ADVICE,
    "400008": "Check the app's id: it must be an ACTIVE mini-program of the member's tenant.",
  },
  configure: (command) =>
    withMember(command.argument("<APP_ID>").option("--json", "print the answer's value as JSON")).action(
      async (appId, values) => {
        const api = await memberApi(await memberLogin(values));
        const made = await api.createMiniappCode({ body: { appId } });
        if (values.json) return print(printableJson(JSON.stringify(made)));
        print(printable(made.code));
        complain(`It can be exchanged until ${isoTime(made.expiresAt)}.`);
      },
    ),
};
