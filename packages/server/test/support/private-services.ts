import type { TestContext } from "node:test";
import { send } from "./http.ts";

/** A database server or Redis that one test has to itself, so that it may restart it. */
export interface PrivateService {
  url: string;
  restart(): Promise<void>;
  /** Ends it before the test does. */
  stop(): Promise<void>;
}

/** Why no private services can be had here; null when they can. */
export const noPrivateServices = process.env.PORTICO_TEST_CONTROL_URL
  ? null
  : "needs servers to restart (PORTICO_TEST_CONTROL_URL); npm test provides them";

/** Starts a private service that ends with the test; null, the test being skipped, when this machine has none. */
export async function privateService(t: TestContext, name: "postgres" | "redis"): Promise<PrivateService | null> {
  const control = process.env.PORTICO_TEST_CONTROL_URL ?? "";
  const answer = await send(`${control}/${name}`, { method: "POST" });
  if (answer.status === 409) {
    t.skip(answer.json.reason);
    return null;
  }
  if (answer.status !== 201) throw new Error(`${name} did not start: ${answer.text}`);
  const { id, url } = answer.json;
  const stop = async () => {
    await send(`${control}/${name}/${id}`, { method: "DELETE" });
  };
  t.after(stop);
  return {
    url,
    stop,
    restart: async () => {
      const { status, text } = await send(`${control}/${name}/${id}/restart`, { method: "POST" });
      if (status !== 204) throw new Error(`${name} did not restart: ${text}`);
    },
  };
}
