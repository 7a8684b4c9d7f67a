import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Change, ClientMessage } from "@portico/protocol";
import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { PorticoClient } from "@portico/sdk";
import type { Follower } from "./followers.ts";
import type { Acknowledged, Expected, Ledger } from "./ledger.ts";
import { consoleAt, signInMember } from "./sign-in.ts";
import type { Site } from "./site.ts";
import { BOT, DESK, GROUP_IDS, MEMBERS, reader } from "./world.ts";

/** The time for what is delivered late: events after the last fault, and changes to streams. */
const EVENTS_WITHIN_MS = 150_000;
const STREAMS_WITHIN_MS = 60_000;
const PAGE = 100;
const LOOK_EVERY_MS = 200;
/** Deliveries in a report about missing events. */
const DESCRIBED = 5;

/** What the end of a run has found, beside violations. */
export interface Found {
  messages: number;
  events: number;
  repeatedEvents: number;
}

/** Compares everything that the service has stored and delivered with what it has acknowledged. */
export async function verify(site: Site, ledger: Ledger, followers: readonly Follower[]): Promise<Found> {
  const url = site.processes[0]?.url ?? "";
  let messages = 0;
  for (const groupId of GROUP_IDS) messages += await verifyConversation(url, ledger, `group:${groupId}`, followers);
  for (const member of MEMBERS) messages += await verifyDirect(url, ledger, member);
  for (const [conversation, expected] of ledger.conversations) {
    const visitorId = /^visitor:(.*)$/.exec(conversation)?.[1];
    if (visitorId !== undefined) messages += await verifyVisitor(url, ledger, visitorId, expected);
  }
  await verifyEvents(site, ledger);
  const { events, repeated } = site.receiver.counts;
  return { messages, events, repeatedEvents: repeated };
}

type Account = (typeof MEMBERS)[number];

async function verifyConversation(
  url: string,
  ledger: Ledger,
  conversationId: string,
  followers: readonly Follower[],
): Promise<number> {
  const changes = await changesOf(url, reader(), conversationId);
  verifyPlaces(
    ledger,
    conversationId,
    changes.map(({ msgSeq }) => msgSeq),
  );
  const messages = changes.filter(({ type }) => type === "message.created").map(({ message }) => message);
  await verifyMessages(ledger, conversationId, conversationId, messages);
  const last = changes.at(-1)?.msgSeq ?? 0;
  const inTime = AbortSignal.timeout(STREAMS_WITHIN_MS);
  for (const follower of followers) {
    while (follower.lastOf(conversationId) < last && !inTime.aborted) await sleep(LOOK_EVERY_MS);
    const reached = follower.lastOf(conversationId);
    if (reached !== last) ledger.violate(`${follower.name} ended ${conversationId} at ${reached}, not at ${last}`);
  }
  return messages.length;
}

async function verifyDirect(url: string, ledger: Ledger, member: Account): Promise<number> {
  const conversationId = `bot:${BOT.appId}`;
  const changes = await changesOf(url, member, conversationId);
  const key = `${conversationId} ${member.username}`;
  verifyPlaces(
    ledger,
    key,
    changes.map(({ msgSeq }) => msgSeq),
  );
  const messages = changes.map(({ message }) => message);
  await verifyMessages(ledger, key, conversationId, messages);
  return messages.length;
}

async function changesOf(url: string, member: Account, conversationId: string): Promise<Change[]> {
  const token = await signInMember(url, member);
  const client = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: url, token }));
  const changes: Change[] = [];
  for (;;) {
    const query = { afterSeq: changes.at(-1)?.msgSeq ?? 0, limit: PAGE };
    const { items } = await client.listChanges({ params: { conversationId }, query });
    if (items.length === 0) return changes;
    changes.push(...items);
  }
}

/** Asserts that places are 1, 2, 3, … */
function verifyPlaces(ledger: Ledger, conversation: string, places: number[]): void {
  const wrong = places.findIndex((place, index) => place !== index + 1);
  if (wrong !== -1) ledger.violate(`${conversation}: place ${places[wrong]} follows ${places[wrong - 1] ?? 0}`);
}

async function verifyMessages(ledger: Ledger, key: string, name: string, found: ClientMessage[]): Promise<void> {
  const expected = ledger.conversations.get(key) ?? new Map<number, Acknowledged & { expected: Expected }>();
  const texts = new Set<string>();
  const byId = new Map(found.map((message) => [message.messageId, message]));
  for (const message of found) {
    const text = textOf(message);
    if (text === null) continue;
    if (texts.has(text)) ledger.violate(`${name}: "${text}" exists twice`);
    texts.add(text);
    if (!expected.has(message.messageId) && !ledger.uncertain.has(text)) {
      ledger.violate(`${name}: "${text}" exists as message ${message.messageId}, which nobody was told of`);
    }
  }
  for (const { messageId, seq, expected: state } of expected.values()) {
    const message = byId.get(messageId);
    if (message === undefined) ledger.violate(`${name}: message ${messageId} was acknowledged and is lost`);
    else if (message.msgSeq !== seq)
      ledger.violate(`${name}: message ${messageId} moved from ${seq} to ${message.msgSeq}`);
    else if (!(await isAsExpected(message, state))) {
      ledger.violate(`${name}: message ${messageId} should be ${JSON.stringify(state)}: ${JSON.stringify(message)}`);
    }
  }
}

function textOf({ content }: ClientMessage): string | null {
  return typeof content === "object" && content !== null && "text" in content ? String(content.text) : null;
}

async function isAsExpected(message: ClientMessage, expected: Expected): Promise<boolean> {
  if ("text" in expected) return textOf(message) === expected.text;
  if ("recalled" in expected) return message.recalled;
  if ("card" in expected) {
    const content = JSON.stringify(message.content);
    return !message.recalled && [expected.card, ...expected.late].some((text) => content.includes(`"${text}"`));
  }
  const { url } = message.content as { url: string };
  const response = await fetch(url.replace("localhost", "127.0.0.1"));
  const bytes = Buffer.from(await response.arrayBuffer());
  return createHash("sha256").update(bytes).digest("hex") === expected.sha256;
}

async function verifyVisitor(
  url: string,
  ledger: Ledger,
  visitorId: string,
  expected: ReadonlyMap<number, Acknowledged & { expected: Expected }>,
): Promise<number> {
  const client = new PorticoClient({ ...DESK, baseUrl: url });
  const { records } = await client.customer.listMessages({ visitorId });
  const name = `visitor:${visitorId}`;
  verifyPlaces(
    ledger,
    name,
    records.map(({ seq }) => seq),
  );
  const byId = new Map(records.map((record) => [record.messageId, record]));
  for (const { messageId, seq, expected: state } of expected.values()) {
    const record = byId.get(messageId);
    if (record?.seq !== seq || !("text" in state) || record.content !== state.text) {
      ledger.violate(`${name}: message ${messageId} should be ${JSON.stringify(state)}: ${JSON.stringify(record)}`);
    }
  }
  if (records.length > expected.size)
    ledger.violate(`${name}: ${records.length} messages, ${expected.size} acknowledged`);
  return records.length;
}

/** Every event arrives in time, even from a process whose clock was ahead. */
async function verifyEvents(site: Site, ledger: Ledger): Promise<void> {
  const { receiver } = site;
  const inTime = AbortSignal.timeout(EVENTS_WITHIN_MS);
  let missing = ledger.events.filter(({ eventType, messageId }) => !receiver.has(eventType, messageId));
  while (missing.length > 0 && !inTime.aborted) {
    await sleep(LOOK_EVERY_MS);
    missing = missing.filter(({ eventType, messageId }) => !receiver.has(eventType, messageId));
  }
  if (missing.length === 0) return;
  const { pending, report } = await openDeliveries(site);
  for (const { eventType, messageId } of missing)
    ledger.violate(`no ${eventType} of message ${messageId} was received`);
  ledger.violate(`${pending} deliveries are still to come; not delivered:\n${report}`);
}

/** The deliveries that have not succeeded, for a person who looks for the cause. */
async function openDeliveries({ processes }: Site): Promise<{ pending: number; report: string }> {
  const api = await consoleAt(processes[0]?.url ?? "");
  const open: string[] = [];
  let pending = 0;
  for (const { appId } of [BOT, DESK]) {
    for (const status of ["PENDING", "RETRYING", "FAILED", "EXHAUSTED", "DROPPED"] as const) {
      const { items, total } = await api.listDeliveries({ params: { appId }, query: { status } });
      if (status === "PENDING" || status === "RETRYING") pending += total;
      open.push(...items.map((delivery) => JSON.stringify(delivery)));
    }
  }
  return { pending, report: open.slice(0, DESCRIBED).join("\n") || "none" };
}
