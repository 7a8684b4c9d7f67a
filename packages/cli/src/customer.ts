import type { Command, OptionValues } from "@commander-js/extra-typings";
import { ERRORS } from "@portico/protocol";
import type { CustomerApi, CustomerSession } from "@portico/sdk";
import { botClient } from "./bot-client.ts";
import { wholeNumber } from "./command.ts";
import { type CredentialOptions, customerCredentials, withCredentials } from "./settings.ts";
import { columns, inOneLine, isoTime, print, printableJson } from "./terminal.ts";

/** Declares the options that all customer-service commands have. */
export function withCustomerOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return withCredentials(command.option("--json", "print the answer's value as JSON"), "service desk");
}

/** Advice for refusals of customer service. */
export const CUSTOMER_ADVICE: Readonly<Record<string, string>> = {
  "visitor-unknown": "Check the visitor's id: `portico customer auth` makes a visitor and shows it.",
  "session-unknown": "Check the session's id; to be written in, it must be open.",
  "session-not-closed": "Check the session's id; `portico customer visitor` shows the one that is open.",
  "assignment-failed":
    "The session must be open and the account an agent's; without --agent, somebody must be online and have room.",
  [ERRORS.FORBIDDEN.code]: "Check that the credentials are those of the customer-service app that it belongs to.",
};

/** The customer-service client, with credentials from the options, the profile or the demo file. */
export async function customerApi(options: CredentialOptions): Promise<CustomerApi> {
  return botClient(await customerCredentials(options)).customer;
}

/** Parses a session id on the command line. */
export function sessionIdOf(text: string, name = "SESSION_ID"): number {
  return wholeNumber(text, name, "the id of a session, a whole number");
}

/** Prints a value as JSON if requested, otherwise as lines of `name  value`, without empty values. */
export function printValue(
  isJson: boolean | undefined,
  value: object,
  rows: readonly (readonly [name: string, value: string | number | null | undefined])[],
): void {
  const given = rows.flatMap(([name, text]) =>
    text === null || text === undefined ? [] : [[name, `${text}`] as const],
  );
  print(...(isJson ? [printableJson(JSON.stringify(value))] : columns(given).map(inOneLine)));
}

/** The rows of a session for {@link printValue}. */
export function sessionRows(session: CustomerSession) {
  const { agentId, agentName } = session;
  return [
    ["session", session.sessionId],
    ["visitor", session.visitorId],
    ["status", session.status],
    ["agent", agentId === null ? null : `${agentId} (${agentName})`],
    ["place in queue", session.queuePosition],
    ["source", session.source || null],
    ["subject", session.subject || null],
    ["created", isoTime(session.createdAt)],
    ["assigned", timeOrNull(session.assignedAt)],
    ["first reply", timeOrNull(session.firstReplyAt)],
    ["closed", timeOrNull(session.closedAt)],
    ["closed by", session.closedBy],
    ["rating", session.rating],
  ] as const;
}

/** A time, if there is one. */
export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
