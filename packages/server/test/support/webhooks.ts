import { randomBytes } from "node:crypto";
import type { DeliveryState, EventType, SubscriptionState } from "@portico/protocol";
import { signWebhook } from "@portico/protocol/signature";
import { putSubscription, secretOwner } from "../../src/domain/webhooks/subscription-store.ts";
import type { StartParts } from "../../src/service/start-parts.ts";
import { TEST_CA } from "./certificates.ts";
import { MemberClient } from "./member.ts";
import { type Received, resolverOf } from "./receiver.ts";
import type { World } from "./world.ts";

/** Allows callbacks to the loopback interface. */
export const LOOPBACK_CALLBACKS = { PORTICO_WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8" };
export const LOOPBACK_NETWORK: StartParts["network"] = {
  lookup: resolverOf({ "receiver.test": ["127.0.0.1"] }),
  ca: TEST_CA,
};

/** Subscribes like the console; returns the secret. */
export async function subscribe(
  world: World,
  appId: string,
  callbackUrl: string,
  eventType: EventType = "im.message.receive_v1",
  status: SubscriptionState = "ACTIVE",
): Promise<string> {
  const { storage, secretBox, clock } = world.portico.ctx;
  const secret = randomBytes(32).toString("base64url");
  const secretBoxed = secretBox.seal(secret, secretOwner(appId, eventType));
  const subscription = { appId, eventType, transport: "WEBHOOK" as const, callbackUrl, status, secretBox: secretBoxed };
  await storage.write((tx) => putSubscription(tx, subscription, clock.now()));
  return secret;
}

/** Posts a text to a bot as a member; returns the messageId. */
export async function sayTo(world: { url: string }, appId: string, text: string, account: Account): Promise<number> {
  const member = await MemberClient.signIn(world, account);
  const params = { conversationId: `bot:${appId}` };
  return (await member.api.postMessage({ params, body: { msgType: "text", content: { text } } })).messageId;
}

type Account = Parameters<typeof MemberClient.signIn>[1];

/** Whether a received request is signed with `secret`. */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const eventId = String(headers["x-open-event-id"]);
  const timestamp = Number(headers["x-open-timestamp"]);
  return headers["x-open-signature"] === signWebhook(secret, eventId, timestamp, body);
}

/** The application's deliveries, oldest first. */
export async function deliveriesOf(world: World, appId: string) {
  const { db } = world.portico.ctx.storage;
  return await db.selectFrom("deliveries").selectAll().where("app_id", "=", appId).orderBy("delivery_id").execute();
}

/** On a busy machine things take long, and that proves nothing. */
const WAIT_MS = 60_000;
const POLL_EVERY_MS = 10;

/** Waits until `isSo` holds; throws when that takes too long. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs: number = WAIT_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it did not come to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** Waits until all deliveries of the application are in one of the states. */
export async function untilAll(world: World, appId: string, ...states: DeliveryState[]): Promise<void> {
  const { db } = world.portico.ctx.storage;
  // Reading all of them again and again would hold up the service, which runs in this process.
  const others = db.selectFrom("deliveries").where("app_id", "=", appId).where("status", "not in", states);
  const areAll = async () => (await others.select("delivery_id").limit(1).executeTakeFirst()) === undefined;
  try {
    await until(areAll, `all deliveries of ${appId} are ${states.join(" or ")}`);
  } catch (cause) {
    const rows = (await deliveriesOf(world, appId)).map(({ body: _, ...row }) => JSON.stringify(row));
    const now = world.clock.now();
    throw new Error([String(cause), `now ${now}`, ...rows, ...world.logLines.slice(-10)].join("\n"), { cause });
  }
}
