import { type Command, UsageError } from "../command.ts";
import { CUSTOMER_ADVICE, customerApi, printValue, withCustomerOptions } from "../customer.ts";
import { inputName } from "../input.ts";
import { readJson } from "../json-input.ts";
import { isoTime } from "../terminal.ts";

/** `portico customer auth`: creates or updates a visitor. */
export const customerAuth: Command = {
  name: "customer auth",
  summary: "Make a user of yours a visitor, with a token for the widget",
  usage: "portico customer auth THIRD_USER_ID [OPTIONS]",
  examples: ['portico customer auth user-4711 --nickname "Mei" --extra order.json'],
  advice: CUSTOMER_ADVICE,
  configure: (command) =>
    withCustomerOptions(
      command
        .argument("<THIRD_USER_ID>")
        .option("--nickname <NAME>", "what is known of the visitor; what is left out stays as it is")
        .option("--avatar <URL>", "")
        .option("--phone <PHONE>", "")
        .option("--email <EMAIL>", "")
        .option("--extra <FILE>", "a JSON object that the agents are to see; - is standard input"),
    ).action(async (thirdUserId, values) => {
      const { nickname, avatar, phone, email } = values;
      const extra = values.extra === undefined ? undefined : await readExtra(values.extra);
      const customer = await customerApi(values);
      const visitor = await customer.authVisitor({ thirdUserId, nickname, avatar, phone, email, extra });
      printValue(values.json, visitor, [
        ["visitor", visitor.visitorId],
        ["new", visitor.isNew ? "yes" : "no"],
        ["token", visitor.visitorToken],
        ["until", isoTime(visitor.expiresAt)],
      ]);
    }),
};

async function readExtra(file: string): Promise<Record<string, unknown>> {
  const extra = await readJson(file);
  if (typeof extra === "object" && extra !== null && !Array.isArray(extra)) return { ...extra };
  throw new UsageError(`${inputName(file)} is not a JSON object`);
}
