import type { Delivery, DropReason } from "@portico/protocol";

/** Advice for attempts without an answer, by the beginning of the reason. Longer beginnings come first. */
const BY_REASON: readonly (readonly [beginning: string, advice: string])[] = [
  ["dns", "The receiver's name could not be resolved: look at its DNS records."],
  [
    "refused-address:private",
    "The receiver's name leads to an address that is not public; only public ones are called.",
  ],
  ["refused-address", "The address may not be called: subscribe with a public https address."],
  ["connect-timeout", "The receiver takes no connection in time: look at its firewall and whether it runs."],
  ["connection-refused", "Nothing listens at the receiver's address and port: look whether it runs."],
  ["unreachable", "There is no way to the receiver's address: look at its network."],
  ["tls", "The TLS handshake failed: the certificate has to be valid for the name, with its whole chain."],
  ["connection-reset", "The receiver closed the connection before it had answered: look at its log and its proxies."],
  ["read-timeout", "The receiver took too long to answer: have it answer 2xx at once and work afterwards."],
  ["ack-timeout", "The bot did not acknowledge the event in time: acknowledge at once and work afterwards."],
  ["nack", "The bot refused the event: its log tells why."],
  [
    "connection-ended",
    "Three connections in a row ended before the event was answered: look whether it stops the bot.",
  ],
  ["no-connection", "No connection was open for too long: start the bot, then redeliver what it missed."],
  [
    "bad-response",
    "What the receiver answered is not valid HTTP/1.1, as the attempt says: look whether the port is that of its https server, and at proxies before it.",
  ],
  ["busy", "The service itself was too busy; it tries again, and nothing is wrong with the receiver."],
];

/** Advice for answers, by status. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: "The receiver took the event for malformed: look at what its handler expects.",
  401: "The receiver did not accept the signature: it has to verify with the newest webhook secret, over the raw body.",
  403: "The receiver did not accept the signature or the caller: verify with the newest webhook secret, over the raw body.",
  404: "The receiver has nothing at this path: subscribe with the right address.",
  405: "The receiver does not take POST at this path: subscribe with the right address.",
  425: "The receiver could not verify the signature or the timestamp: deploy the newest webhook secret, and look at its clock.",
  413: "The receiver takes no body so large: raise its limit.",
};

const OTHER_STATUS = "Have the receiver answer 2xx; its log tells why it did not.";
const REDIRECT = "Redirects are not followed: subscribe with the address that it leads to.";

/** Why an event was dropped, by the reason that the service gives. */
const BY_DROP_REASON: Readonly<Record<string, string>> = {
  "application-not-active": "The application was no longer ACTIVE when it came due",
  "no-subscription": "Nobody was subscribed to this type of event",
  "subscription-inactive": "The subscription was not ACTIVE",
} satisfies Record<DropReason, string>;

/** Advice to the developer about a failed delivery; none when it succeeded or has not been attempted yet. */
export function deliveryAdvice(
  appId: string,
  { eventId, status, lastStatus, lastReason }: Pick<Delivery, "eventId" | "status" | "lastStatus" | "lastReason">,
): string[] {
  if (status === "DROPPED") {
    const why = BY_DROP_REASON[lastReason ?? ""] ?? "Nobody was subscribed";
    return [`${why}, and what is dropped is never sent: \`portico subscriptions ${appId}\` shows what is.`];
  }
  if (status === "DELIVERED" || (lastStatus === null && lastReason === null)) return [];
  return [adviceForAttempt({ status: lastStatus, reason: lastReason }), ...whatFollows(appId, eventId, status)];
}

/** Advice to the developer about an attempt without a 2xx. */
export function adviceForAttempt({ status, reason }: { status: number | null; reason: string | null }): string {
  return status === null ? adviceForReason(reason ?? "") : adviceForStatus(status);
}

function adviceForReason(reason: string): string {
  return (
    BY_REASON.find(([beginning]) => reason.startsWith(beginning))?.[1] ?? "Look at the receiver's log and network."
  );
}

function adviceForStatus(status: number): string {
  if (status >= 300 && status < 400) return REDIRECT;
  return BY_STATUS[status] ?? OTHER_STATUS;
}

function whatFollows(appId: string, eventId: string, status: string): string[] {
  const again = `\`portico redeliver ${appId} ${eventId}\` sends it again.`;
  if (status === "FAILED") return [`Such an answer is final: it is not retried. Once that is mended, ${again}`];
  if (status === "EXHAUSTED") return [`All retries are used up. Once that is mended, ${again}`];
  return ["It is retried by itself."];
}
