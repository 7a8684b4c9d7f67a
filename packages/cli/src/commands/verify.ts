import { EVENT_TYPES } from "@portico/protocol";
import { type Command, FailureError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { adviceForAttempt } from "../delivery-advice.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { wordArgument } from "../option-kinds.ts";
import { print, printableJson } from "../terminal.ts";

/** `portico verify`: checks whether the callback URL of a subscription answers. */
export const verify: Command = {
  name: "verify",
  summary: "Have the service ask a subscription's address whether it is there",
  usage: "portico verify APP_ID EVENT_TYPE [OPTIONS]",
  notes: `The exit code is 0 when the address answers with 2xx, and 1 otherwise.`,
  examples: ["portico verify app_1 im.message.receive_v1"],
  advice: {
    "404": "Check the app's id, and `portico subscriptions APP_ID`: nothing is subscribed to that type.",
    "409": "Only an ACTIVE subscription is verified; `portico subscribe` makes it so, with a new secret.",
  },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .addArgument(wordArgument("<EVENT_TYPE>", EVENT_TYPES))
        .option("--json", "print the answer as JSON, also where the address does not answer with 2xx"),
    ).action(async (appId, eventType, values) => {
      await using api = new ConsoleApi(await developerLogin(values));
      const result = await api.console.verifySubscription({ params: { appId, eventType } });
      if (values.json) print(printableJson(api.textOf(result)));
      if (result.value !== true) {
        const { status, reason, detail } = result.attempt;
        const cause = status === null ? (detail ?? reason) : `it answered ${status}`;
        throw new FailureError(`no 2xx: ${cause}\n${adviceForAttempt(result.attempt)}`);
      }
      if (!values.json) print("the address answers with 2xx");
    }),
};
