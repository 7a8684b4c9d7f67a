import type { ConsoleLogin, SecondStep } from "@portico/protocol";
import { FailureError } from "./command.ts";
import { ask } from "./prompt.ts";
import { complain, isoTime } from "./terminal.ts";

/**
 * The second step of a developer's sign-in, where the service asks for one. Tells of wrong codes that others have entered.
 *
 * @param code undefined: it is asked for at the terminal.
 * @throws FailureError when it cannot be asked for, or a second factor has to be set up first; ConsoleRefusedError.
 */
export async function passSecondStep(
  client: { passSecondFactor(call: { body: { challenge: string; code: string } }): Promise<ConsoleLogin> },
  { secondFactor: { challenge, step } }: SecondStep,
  code: string | undefined,
): Promise<ConsoleLogin> {
  if (step === "enrol") {
    throw new FailureError(
      "the operator asks for a second factor: sign in to the console in a browser once, which sets it up",
    );
  }
  const login = await client.passSecondFactor({ body: { challenge, code: code ?? (await askForCode()) } });
  if (login.wrongCodes !== undefined) tellOfWrongCodes(login.wrongCodes);
  return login;
}

function tellOfWrongCodes({ count, since }: NonNullable<ConsoleLogin["wrongCodes"]>): void {
  const codes = count === 1 ? "1 wrong code was" : `${count} wrong codes were`;
  complain(
    `${codes} entered since ${isoTime(since)}, in sign-ins whose first step was passed.`,
    "If that was not you, change your password now.",
  );
}

async function askForCode(): Promise<string> {
  if (process.stdin.isTTY) return await ask("Code of the authenticator app, or a recovery code: ");
  throw new FailureError("this developer signs in with a second factor: sign in by `portico login --code-stdin`");
}
