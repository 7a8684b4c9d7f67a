import { execFileSync } from "node:child_process";

/** Real-time priorities of the processes of a run, and of its attacker, which comes after these. */
export const OF_THE_RUN = 2;
export const OF_THE_ATTACKER = 1;

/**
 * Has this process, with all its threads and the processes that it starts, come before all work of the machine without
 * a real-time priority.
 *
 * @throws when the system has no chrt or does not permit it.
 */
export function takePrecedence(priority: number): void {
  execFileSync("chrt", ["--rr", "--all-tasks", "--pid", String(priority), String(process.pid)], { stdio: "pipe" });
}
