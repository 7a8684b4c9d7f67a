import { BUSINESS_RULES, type CallRefusal } from "@portico/protocol";

type BrokenRule = Extract<CallRefusal, { check: "business" }>["details"];

/** Explains the rule that a call breaks: what is known, how to fix it, and where in the body the problem is. */
export function businessHints(details: BrokenRule): string[] {
  if (details === null) {
    return ["The call is well formed; what it asks for is not possible, for the reason given. Retrying does not help."];
  }
  const { rule, pointer, facts } = details;
  return [
    ...factHints(facts),
    ...BUSINESS_RULES[rule].advice,
    ...(pointer === null ? [] : [`What it is about stands at ${pointer} in the body.`]),
  ];
}

/** Facts that say more than the rule's name. */
function factHints({
  problem,
  installation,
  given,
  current,
  ...facts
}: Record<string, string | number | null>): string[] {
  const known = typeof problem === "string" ? PROBLEM_HINTS[problem] : undefined;
  if (known !== undefined) return [known];
  if (installation === "UNINSTALLED") return ["The bot was installed there and has been uninstalled."];
  if (installation === "NONE") return ["The bot has never been installed there."];
  if (current !== undefined) return [`The card has version ${current}; the call asked for version ${given}.`];
  if (typeof facts.msgType === "string") return [`The message was sent as ${facts.msgType}.`];
  if (typeof facts.mimeType === "string") return [`The file was uploaded as ${facts.mimeType}.`];
  return [];
}

const PROBLEM_HINTS: Readonly<Record<string, string>> = {
  expired: "It was good once, and has expired.",
  "no-such-file":
    "The application has no such file: the fileKey was mistyped, is another application's, or expired long ago.",
  "no-such-code": "There is no such code: it was mistyped, or has been used.",
  "other-application": "The code was made for another application.",
  "member-disabled": "The code is of a member who can no longer sign in.",
  "session-unknown": "The application has no session of this sessionId.",
  "session-closed": "The session is closed, and stays so: the visitor's next message opens another.",
  "session-changed":
    "The session changed while the call was under way; of several that would assign it, one wins. Look at it again.",
  "agent-unknown": "agentId is no agent of the application: the owner makes members agents in the console.",
  "nobody-free":
    "No agent is online with room for another session: name one by agentId, or leave the session in the queue.",
};
