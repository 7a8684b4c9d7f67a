import type { TestContext } from "node:test";
import { send } from "./http.ts";

/** A database server or Redis for one test only, which may restart it. */
export interface PrivateService {
  url: string;
  restart(): Promise<void>;
  /** Stops it before the end of the test. */
  stop(): Promise<void>;
}

/** The reason why there are no private services here; null when there are. */
export const noPrivateServices = process.env.PORTICO_TEST_CONTROL_URL
  ? null
  : "needs servers to restart (PORTICO_TEST_CONTROL_URL); npm test provides them";

/** Starts a private service that ends with the test; skips the test and returns null when this machine has none. */
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
