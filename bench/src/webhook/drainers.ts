import { type Child, startChild } from "../contenders/child.ts";
import { startService, TALKATIVE_MEMBERS } from "../contenders/service.ts";
import type { Drainer } from "./drain.ts";
import { fillOutbox, type Subscriber } from "./outbox.ts";
import { APP_ID, WORLD } from "./world.ts";

/** A service that can be started any number of times. */
export interface Service {
  name: string;
  /** Its configuration, including trust in the receiver's certificate authority. */
  env: Record<string, string>;
}

export const BARE_LOOP = "bare undici loop";

/** The baseline. */
export function bareLoop(core: number | null): Drainer {
  const start = (url: string, events: number) =>
    startChild({
      name: "bare-loop",
      script: new URL("bare-loop.ts", import.meta.url),
      core,
      prepare: async () => ({ BARE_LOOP_URL: url, BARE_LOOP_EVENTS: String(events) }),
      ready: /posting to port (\d+)/,
    });
  return { name: BARE_LOOP, start };
}

/** The service, each time in a new process, and with a new database if it is embedded. */
export function drainerOf(service: Service, core: number | null): Drainer {
  const start = (url: string, events: number) =>
    startSubscribed(service, core, [{ appId: APP_ID, callbackUrl: url }], events);
  return { name: service.name, start };
}

/** Starts a service whose database has `subscribers` and `backlog` events. */
export function startSubscribed(
  { name, env }: Service,
  core: number | null,
  subscribers: Subscriber[],
  backlog: number,
): Promise<Child> {
  return startService(name, core, {
    world: WORLD,
    env: { ...TALKATIVE_MEMBERS, ...env },
    prepare: (whole) => fillOutbox(whole, subscribers, backlog),
  });
}
