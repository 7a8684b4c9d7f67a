import { randomBytes } from "node:crypto";
import { provisionFromFile } from "@portico/server";
import { pino } from "pino";
import { emit } from "../../../packages/server/src/domain/webhooks/outbox.ts";
import { putSubscription, secretOwner } from "../../../packages/server/src/domain/webhooks/subscription-store.ts";
import { loadConfig } from "../../../packages/server/src/platform/config/load-config.ts";
import { loadMasterKeys, openSecretBox } from "../../../packages/server/src/platform/crypto/master-key.ts";
import { openStorage } from "../../../packages/server/src/platform/storage/open-storage.ts";
import { EVENT_TYPE, messagePayload } from "./message-event.ts";
import { APP_ID } from "./world.ts";

/** An application and its callback address. */
export interface Subscriber {
  appId: string;
  callbackUrl: string;
}

const BATCH = 500;

/**
 * Prepares the database configured by `env` before a service runs on it: provisions it, subscribes, and writes
 * `backlog` events to the measured application's outbox, as messages do.
 */
export async function fillOutbox(
  env: Record<string, string>,
  subscribers: Subscriber[],
  backlog: number,
): Promise<void> {
  await provisionFromFile(env.PORTICO_PROVISION ?? "", env);
  const config = loadConfig(env);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  await using opened = new AsyncDisposableStack();
  const storage = opened.adopt(await openStorage(config, { log }), (open) => open.close());
  const secretBox = await openSecretBox(await loadMasterKeys(config, storage), storage);
  const now = Date.now();

  await storage.write(async (tx) => {
    for (const { appId, callbackUrl } of subscribers) {
      const sealed = secretBox.seal(randomBytes(32).toString("base64url"), secretOwner(appId, EVENT_TYPE));
      const subscription = {
        appId,
        eventType: EVENT_TYPE,
        transport: "WEBHOOK",
        callbackUrl,
        status: "ACTIVE",
      } as const;
      await putSubscription(tx, { ...subscription, secretBox: sealed }, now);
    }
  });
  for (let first = 0; first < backlog; first += BATCH) {
    await storage.write(async (tx) => {
      for (let number = first; number < Math.min(first + BATCH, backlog); number++) {
        const isDue = await emit(tx, {
          eventType: EVENT_TYPE,
          appId: APP_ID,
          payload: messagePayload(number, now),
          now,
          dueNow: now,
          conversation: null,
        });
        if (!isDue) throw new Error("nobody listens to the event");
      }
    });
  }
}
