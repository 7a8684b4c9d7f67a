import { startChild } from "./child.ts";
import type { Contender } from "./contender.ts";

/** Starts the baseline server. */
export async function startFloor(core: number | null, appSecret: string): Promise<Contender> {
  const child = await startChild({
    name: "floor",
    script: new URL("floor-server.ts", import.meta.url),
    core,
    prepare: async () => ({ FLOOR_SECRET: appSecret }),
    ready: /listening on port (\d+)/,
  });
  return { keepsMessages: false, keyed: false, ...child };
}
