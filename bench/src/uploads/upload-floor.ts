import { type Child, startChild } from "../contenders/child.ts";

/** Starts the baseline of uploads. */
export function startUploadFloor(core: number | null, appSecret: string): Promise<Child> {
  return startChild({
    name: "floor",
    script: new URL("upload-server.ts", import.meta.url),
    core,
    prepare: async () => ({ FLOOR_SECRET: appSecret }),
    ready: /listening on port (\d+)/,
  });
}
