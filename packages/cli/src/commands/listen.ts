import { randomBytes } from "node:crypto";
import { EVENT_TYPES, type EventType, isEventType } from "@portico/protocol";
import { createEventStream, type EventAnswer, type SocketEvent, type SocketHello } from "@portico/sdk";
import { type Command, FailureError, UsageError } from "../command.ts";
import { type Forwarded, type ForwardTarget, forwardEvent } from "../forward-event.ts";
import { awaitInterruption } from "../interruption.ts";
import { credentials, withCredentials } from "../settings.ts";
import { complain, inOneLine, isoTime, print, printable } from "../terminal.ts";

/** How long an event that is being forwarded may take after Ctrl-C, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;

/** `portico listen`: shows an application's events as they happen, and forwards them. */
export const listen: Command = {
  name: "listen",
  summary: "Show an app's events as they happen, and forward them to an address of this machine",
  usage: "portico listen [APP_ID] [--event TYPE...] [--forward URL] [--secret SECRET] [OPTIONS]",
  notes: `A line for each event: when, type, id, attempt, what became of it, and how long that took. Events come over a connection
that this command opens, so the service need not reach this machine. They are those that the app subscribes by socket; in the
test environment --event takes types for as long as the command runs, whatever is subscribed.
With --forward each is posted as a signed webhook: a 2xx acknowledges it, 408, 409, 425, 429 and 5xx have the service try again,
anything else fails it for good. Without, each is acknowledged. Ctrl-C ends it.`,
  examples: [
    "portico listen",
    "portico listen app_1 --profile bot.json --event im.message.receive_v1 --forward http://localhost:3000/webhook",
  ],
  advice: {
    "400007": "The app does not hold the scope of an event that it asks to take: ask for it, or leave --event out.",
  },
  configure: (command) =>
    withCredentials(
      command
        .argument("[APP_ID]")
        .option(
          "--event <TYPE>",
          "take events of this type; can be repeated, and takes several joined by commas",
          typesOf,
        )
        .option("--forward <URL>", "post each event to this address", urlOf)
        .option("--secret <SECRET>", "what signs the forwarded events; made up and printed when left out")
        .option("--json", "print a line of JSON for each event"),
    ).action(async (appId, values) => {
      const { event: take, forward: url, secret, json = false } = values;
      if (secret !== undefined && url === undefined) throw new UsageError("--secret goes with --forward");
      if (secret === "") throw new UsageError("--secret must not be empty");
      const found = await credentials(values);
      if (appId !== undefined && appId !== found.appId) {
        throw new UsageError(`the credential is that of ${found.appId}: name one of ${appId} by --profile`);
      }
      const target = url && { url, secret: secret ?? randomBytes(24).toString("base64url") };
      let isGreeted = false;
      const stream = createEventStream({
        ...found,
        ...(take && { take }),
        logger: {
          debug() {},
          // The first connection is told below, with what it listens to.
          info: (text) => (isGreeted ? complain(printable(text)) : undefined),
          warn: (text) => complain(printable(text)),
          error: (text) => complain(printable(text)),
        },
        onEvent: (event, hello) => show(event, hello, target, json),
      });
      using interruption = awaitInterruption();
      const interrupted = interruption.happened;
      try {
        const started = await Promise.race([stream.start(), interrupted]);
        if (started === "interrupted") return;
        if (target !== undefined && secret === undefined) complain(`the webhook secret is ${target.secret}`);
        complain(...greeting(started.hello));
        isGreeted = true;
        const end = await Promise.race([started.ended, interrupted]);
        if (end !== "interrupted" && end !== "stopped") {
          throw new FailureError(
            "the service has ended the connection\nThe credential was revoked, or the app disabled: `portico whoami` tells.",
          );
        }
      } finally {
        await stream.stop(STOP_TIMEOUT_MS);
      }
    }),
};

function greeting({ appId, eventTypes }: SocketHello): string[] {
  if (eventTypes.length > 0) return [printable(`listening to ${eventTypes.join(", ")} of ${appId}; Ctrl-C ends it`)];
  return [
    printable(`${appId} subscribes nothing by socket, so no event will come`),
    "In the test environment, `--event im.message.receive_v1` takes events without a subscription.",
  ];
}

async function show(
  event: SocketEvent,
  hello: SocketHello,
  target: ForwardTarget | undefined,
  json: boolean,
): Promise<EventAnswer> {
  const startedAt = Date.now();
  const acknowledged: Forwarded = { answer: { ack: true }, status: "acknowledged" };
  const { answer, status } = target === undefined ? acknowledged : await forwardEvent(event, hello, target);
  const durationMs = Date.now() - startedAt;
  const { eventId, eventType, attempt } = event;
  const at = isoTime(startedAt);
  if (json) print(printable(JSON.stringify({ at, eventType, eventId, attempt, status, durationMs })));
  else print(inOneLine(`${at}  ${eventType}  ${eventId}  ${attempt}  ${status}  ${durationMs} ms`));
  return answer;
}

function typesOf(text: string, former: EventType[] = []): EventType[] {
  const types = text.split(",").map((type) => {
    if (isEventType(type)) return type;
    throw new UsageError(`--event must be one of ${EVENT_TYPES.join(", ")}`);
  });
  return [...former, ...types];
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new UsageError("--forward must be an address such as http://localhost:3000/webhook");
}
