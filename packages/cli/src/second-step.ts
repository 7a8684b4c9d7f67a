import type { ConsoleLogin, SecondStep } from "@portico/protocol";
import { FailureError } from "./command.ts";
import { ask } from "./prompt.ts";

/**
 * The second step of a developer's sign-in, where the service asks for one.
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
  return await client.passSecondFactor({ body: { challenge, code: code ?? (await askForCode()) } });
}

async function askForCode(): Promise<string> {
  if (process.stdin.isTTY) return await ask("Code of the authenticator app, or a recovery code: ");
  throw new FailureError("this developer signs in with a second factor: sign in by `portico login --code-stdin`");
}
