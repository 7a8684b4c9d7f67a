import { type Command, UsageError, wholeNumber } from "../command.ts";
import { readText, STANDARD_INPUT } from "../input.ts";
import { withOperatorWords } from "../operator-words.ts";
import { askSecretly } from "../prompt.ts";
import { serverModule } from "../server-module.ts";
import { complain, inOneLine, print, printJson } from "../terminal.ts";

/** `portico operator create`: makes an operator, without anybody who is signed in. */
export const operatorCreate: Command = {
  name: "operator create",
  summary: "Make an operator, the first one too",
  usage: "portico operator create --phone PHONE --channel N [--name NAME] [--password-stdin]",
  notes: `The password is asked for twice, or read from standard input. An empty store is made ready first; a phone number that somebody
has in this channel is refused, and nothing is changed. Configuration is that of \`portico serve\`. Without PostgreSQL the service
must be stopped.`,
  examples: [
    'portico operator create --phone 13800000000 --channel 1 --name "Ops"',
    "portico operator create --phone 13800000000 --channel 1 --password-stdin < password",
  ],
  configure: (command) =>
    command
      .requiredOption("--phone <PHONE>", "by which they sign in")
      .requiredOption("--channel <N>", "the channel of the phone number", channelOf)
      .option("--name <NAME>", "shown in the console", "Operator")
      .option("--password-stdin", "read the password from standard input")
      .option("--json", "print {developerId}")
      .action(async ({ phone, channel: channelId, name, passwordStdin = false, json = false }) => {
        const { checkOperator, createOperator } = await serverModule("operator create");
        // Nobody should think of a password in vain.
        await withOperatorWords(() => checkOperator({ phone, channelId, name }, process.env));
        const password = passwordStdin
          ? (await readText(STANDARD_INPUT)).replace(/\r?\n$/, "")
          : await chosenPassword();
        const developerId = await withOperatorWords(() =>
          createOperator({ phone, channelId, name, password }, process.env),
        );
        if (json) return printJson({ developerId });
        print(inOneLine(`${developerId} is an operator now: phone ${phone}, channel ${channelId}`));
        complain("Start the service, then sign in at /console/.");
      }),
};

function channelOf(text: string): number {
  return text === "0" ? 0 : wholeNumber(text, "--channel", "a whole number from 0 on");
}

async function chosenPassword(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError("there is no terminal to ask for a password: give it by --password-stdin");
  const password = await askSecretly("Password: ");
  if ((await askSecretly("The same again: ")) === password) return password;
  throw new UsageError("the two passwords differ");
}
