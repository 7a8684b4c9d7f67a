import { askedScopes } from "../apps.ts";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { inOneLine, print, printableJson } from "../terminal.ts";

/** `portico apps submit`: submits an application for review. */
export const appsSubmit: Command = {
  name: "apps submit",
  summary: "Submit an app for review, or take it back",
  usage: "portico apps submit APP_ID [--note TEXT | --withdraw] [OPTIONS]",
  notes: `An operator approves or rejects it; \`portico apps show APP_ID\` tells which, with their comment. An app that is ACTIVE is
submitted for the scopes that it has asked for, and keeps what it has meanwhile.`,
  examples: ['portico apps submit app_1 --note "Tells our team of builds"', "portico apps submit app_1 --withdraw"],
  advice: {
    "409": "It is not to be submitted, or taken back, as it is now: `portico apps show APP_ID` tells how it is.",
  },
  tooMany: "; put quotes around the note",
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--note <TEXT>", "what the reviewer should know")
        .option("--withdraw", "take back what waits for review; scopes that were asked for stay so")
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      const { note, withdraw } = values;
      if (withdraw && note !== undefined) throw new UsageError("--withdraw takes no --note");
      await using api = new ConsoleApi(await developerLogin(values));
      const params = { appId };
      if (withdraw) {
        const withdrawn = await api.console.withdrawApp({ params });
        if (values.json) return print(printableJson(api.textOf(withdrawn)));
        return print(inOneLine(`withdrawn; ${appId} is ${withdrawn.status}`));
      }
      const body = note === undefined ? undefined : { note };
      const submitted = await api.console.submitApp({ params, body });
      if (values.json) return print(printableJson(api.textOf(submitted)));
      const { status, review } = submitted;
      print(inOneLine(`submitted; ${appId} is ${status} and asks for ${askedScopes(review?.scopes ?? [])}`));
    }),
};
