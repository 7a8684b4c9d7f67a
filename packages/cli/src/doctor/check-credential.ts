import { ERRORS } from "@portico/protocol";
import { ApiRefusedError } from "@portico/sdk";
import { botClient } from "../bot-client.ts";
import type { Command } from "../command.ts";
import { failureLines } from "../failure.ts";
import type { Credentials } from "../settings.ts";
import { type Finding, fault, none, ok } from "./finding.ts";

/** Looks whether a signed call of the app is accepted. */
export async function checkCredential(found: Credentials | undefined, command: Command): Promise<Finding> {
  if (found === undefined) {
    const advice = "Name one by --app-profile FILE: what `portico apps create --json` has printed.";
    return none("credential", "no app is named", advice);
  }
  const { appId } = found;
  try {
    const [app] = await botClient(found).bot.listApps();
    return ok("credential", `a call signed for ${appId} is accepted; scopes: ${app?.scopes.join(", ") || "none"}`);
  } catch (error) {
    // Scopes are looked at after the signature, and apps of other types than BOT cannot have this one.
    const isSigned = error instanceof ApiRefusedError && error.code === ERRORS.SCOPE_MISSING.code;
    if (isSigned) return ok("credential", `a call signed for ${appId} is accepted`);
    return fault("credential", failureLines(error, command));
  }
}
