import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Child, startChild } from "../contenders/child.ts";

/**
 * Starts the baseline of reads.
 *
 * @param answers by the target of the request: what a service has answered.
 * @param secret of the credential that signs calls; empty when none is signed.
 */
export function startAnswerFloor(core: number | null, answers: Map<string, unknown>, secret: string): Promise<Child> {
  return startChild({
    name: "read-floor",
    script: new URL("answer-server.ts", import.meta.url),
    core,
    prepare: async (dir) => {
      const file = join(dir, "answers.json");
      await writeFile(file, JSON.stringify(Object.fromEntries(answers)));
      return { FLOOR_ANSWERS: file, FLOOR_SECRET: secret };
    },
    ready: /listening on port (\d+)/,
  });
}
