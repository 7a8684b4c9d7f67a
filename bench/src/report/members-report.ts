import type { WorksResult } from "../beside/compare-works.ts";
import type { Run } from "../run.ts";
import type { Report } from "./report.ts";
import { reportWorks } from "./works-report.ts";

export function reportMembers(result: WorksResult, { options, placement }: Run): Report {
  const { connections, rounds, seconds } = options;
  return {
    title: `Members' calls: ${connections} connections, ${rounds} rounds of ${seconds} s, median (min to max)`,
    setting: [
      "posts are compared with signed sends to the same group; reads with a bare server that writes the same answer as JSON",
      `each server is one process; ${placement.description}`,
      ...result.notes,
    ],
    ...reportWorks(result),
  };
}
