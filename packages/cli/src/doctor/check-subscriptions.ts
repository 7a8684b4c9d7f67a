import type { CONSOLE_ENDPOINTS, EndpointValue } from "@portico/protocol/endpoints";
import type { Command } from "../command.ts";
import type { ConsoleApi } from "../console-api.ts";
import { adviceForAttempt } from "../delivery-advice.ts";
import { failureLines } from "../failure.ts";
import { type Finding, fault, none, ok } from "./finding.ts";

type Subscription = EndpointValue<typeof CONSOLE_ENDPOINTS.listSubscriptions>[number];

/** Looks whether the app's events reach it: each address is asked, as `portico verify` does. */
export async function checkSubscriptions(api: ConsoleApi, appId: string, command: Command): Promise<Finding[]> {
  try {
    const subscriptions = await api.console.listSubscriptions({ params: { appId } });
    const findings: Finding[] = [];
    for (const subscription of subscriptions) findings.push(await checkOne(api, appId, subscription));
    if (findings.length > 0) return findings;
    return [
      none("events", `${appId} subscribes to nothing`, `\`portico subscribe ${appId} EVENT_TYPE URL\` subscribes.`),
    ];
  } catch (error) {
    return [fault("events", failureLines(error, command))];
  }
}

async function checkOne(api: ConsoleApi, appId: string, subscription: Subscription): Promise<Finding> {
  const { eventType, status, circuitState, callbackUrl, failureCount } = subscription;
  if (status !== "ACTIVE") {
    const advice = "`portico subscribe` without --inactive activates it, with a new secret.";
    return none("events", `the subscription to ${eventType} is INACTIVE`, advice);
  }
  const { value, attempt } = await api.console.verifySubscription({ params: { appId, eventType } });
  const where = callbackUrl ?? "a socket";
  if (value !== true) {
    const got = attempt.status === null ? (attempt.reason ?? "no answer") : `it answered ${attempt.status}`;
    return fault("events", [`${eventType} does not reach ${where}: ${got}`, adviceForAttempt(attempt)]);
  }
  if (circuitState === "NORMAL" && failureCount === 0) return ok("events", `${eventType} reaches ${where}`);
  const advice = `It answers now. \`portico deliveries ${appId}\` tells what failed; \`portico redeliver\` sends it again.`;
  const failed = `${failureCount} attempts failed since the last success, the circuit is ${circuitState}`;
  return fault("events", [`${eventType} at ${where}: ${failed}`, advice]);
}
