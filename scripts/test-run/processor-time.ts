import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, whatever its kernel's own clock. */
const MS_PER_TICK = 10;
/** Of the fields behind the name, which is in parentheses and may have spaces: utime, stime, cutime and cstime. See proc(5). */
const [FIRST_TIME, BEHIND_TIMES] = [11, 15];

/**
 * The processor time that this process and those of its descendants which have ended have used, in milliseconds. Only of
 * itself where the system has no `/proc`.
 */
export function processorMs(): number {
  try {
    return sumOfTimes(readFileSync("/proc/self/stat", "latin1"));
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** @param stat the text of `/proc/PID/stat`. */
export function sumOfTimes(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(FIRST_TIME, BEHIND_TIMES).reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
}
