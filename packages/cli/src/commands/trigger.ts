import { setTimeout as sleep } from "node:timers/promises";
import { type Delivery, EVENT_TYPES } from "@portico/protocol";
import { type Command, FailureError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { deliveryAdvice } from "../delivery-advice.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { wordArgument } from "../option-kinds.ts";
import { appIdForEvents } from "../settings.ts";
import { complain, print, printable, printableJson } from "../terminal.ts";

const POLL_EVERY_MS = 100;
/** Longer than one attempt may take. */
const WAIT_MS = 15_000;

/** `portico trigger`: has a made-up event delivered. */
export const trigger: Command = {
  name: "trigger",
  summary: "Have a made-up event delivered, in a test environment",
  usage: "portico trigger TYPE [--app APP_ID] [OPTIONS]",
  notes: `The event is recorded, signed and delivered like every other, to the app's webhook or socket; what it tells of is made up.
Where the bot is installed for the member with the developer's phone number, a message is really written in their conversation
with it, so that the bot can answer. Waits for the first attempt, and exits 1 when that fails.`,
  examples: ["portico trigger im.message.receive_v1", "portico trigger card.interaction --app app_1"],
  advice: {
    "403": "Only the owner of an app may, in a test environment, with the types of events that its type of app has.",
    "409":
      "Subscribe with `portico subscribe`, or take the type with `portico listen --event TYPE`; `portico apps show` tells the app's state and scopes.",
  },
  configure: (command) =>
    withDeveloper(
      command
        .addArgument(wordArgument("<TYPE>", EVENT_TYPES))
        .option("--app <APP_ID>", "the app (default: that of --profile, else the demo's)")
        .option("--json", "print the delivery as JSON"),
    ).action(async (eventType, values) => {
      const appId = await appIdForEvents(eventType, values);
      await using api = new ConsoleApi(await developerLogin(values));
      const triggered = await api.console.triggerEvent({ params: { appId, eventType } });
      const delivery = await attempted(api, appId, triggered);
      const { eventId, status } = delivery;
      if (values.json) print(printableJson(JSON.stringify(delivery)));
      else print(printable(`${eventId}  ${eventType}  ${status}`));
      const [about, ...advice] = deliveryAdvice(appId, delivery);
      if (about !== undefined) throw new FailureError([`${eventId} was not delivered`, about, ...advice].join("\n"));
      if (status === "PENDING") complain(printable(`It waits; \`portico deliveries ${appId} ${eventId}\` shows it.`));
    }),
};

/** The delivery after its first attempt, or as it is after a while. */
async function attempted(api: ConsoleApi, appId: string, first: Delivery): Promise<Delivery> {
  const deadline = Date.now() + WAIT_MS;
  let delivery = first;
  while (delivery.status === "PENDING" && Date.now() < deadline) {
    await sleep(POLL_EVERY_MS);
    const {
      attempts: _,
      body: __,
      ...now
    } = await api.console.getDelivery({
      params: { appId, eventId: first.eventId },
    });
    delivery = now;
  }
  return delivery;
}
