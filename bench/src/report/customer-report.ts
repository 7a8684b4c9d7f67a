import type { WorksResult } from "../beside/compare-works.ts";
import { AGENTS, VISITORS } from "../desk/office.ts";
import type { Run } from "../run.ts";
import type { Report } from "./report.ts";
import { reportWorks } from "./works-report.ts";

export function reportCustomer(result: WorksResult, { options, placement }: Run): Report {
  const { connections, rounds, seconds } = options;
  return {
    title: `Customer service: ${connections} connections, ${rounds} rounds of ${seconds} s, median (min to max)`,
    setting: [
      `${VISITORS} visitors in turn, each in a session with one of ${AGENTS} agents; nobody subscribes to events`,
      "messages are compared with signed sends of a bot to the same process; reads with a bare server that writes the same answer as JSON, and checks the signature where the read is signed",
      "widgets may send 500 messages a second, so theirs are compared at a lower rate, by the processor time of a call",
      `each server is one process; ${placement.description}`,
      ...result.notes,
    ],
    ...reportWorks(result),
  };
}
