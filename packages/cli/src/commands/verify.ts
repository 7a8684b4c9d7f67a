import { parseArgs } from "node:util";
import { type Command, FailureError, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { unpromised } from "../console-exchange.ts";
import { DEVELOPER_HELP, DEVELOPER_OPTIONS, developerLogin } from "../developer-settings.ts";
import { eventTypeOf } from "../event-options.ts";
import { memberOf } from "../json.ts";
import { print } from "../terminal.ts";

/** `portico verify`: whether the address of a subscription answers. */
export const verify: Command = {
  name: "verify",
  summary: "Have the service ask a subscription's address whether it is there",
  usage: "portico verify APP_ID EVENT_TYPE [OPTIONS]",
  help: `The exit code is 0 when the address answers with 2xx, and 1 otherwise.

${DEVELOPER_HELP}`,
  advice: {
    "404": "Check the app's id, and `portico subscriptions APP_ID`: nothing is subscribed to that type.",
    "409": "Only an ACTIVE subscription is verified; `portico subscribe` makes it so, with a new secret.",
  },
  async run(args) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: DEVELOPER_OPTIONS });
    const [appId, type, ...more] = positionals;
    if (appId === undefined || type === undefined) throw new UsageError("APP_ID and EVENT_TYPE are needed");
    if (more.length > 0) throw new UsageError(`${more.length} arguments too many`);
    const eventType = eventTypeOf(type, "EVENT_TYPE");
    await using api = new ConsoleApi(await developerLogin(values));
    const { value } = await api.call("POST", ["apps", appId, "subscriptions", eventType, "verify"]);
    const verified = memberOf(value, "value");
    if (typeof verified !== "boolean") unpromised("a verification");
    if (!verified)
      throw new FailureError("the address did not answer with 2xx; see what the receiver logs, if it was reached");
    print("the address answers with 2xx");
  },
};
