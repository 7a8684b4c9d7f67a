import { readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second, whatever the kernel was built with. */
const TICKS_PER_SECOND = 100;

/** Processor time that process `pid` has used, all threads, user and system; null where the system does not tell. */
export function cpuSecondsOf(pid: number): number | null {
  const stat = readProc(pid, "stat");
  // The second field, the command, stands in parentheses and may hold anything.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND;
}

/** The most memory that process `pid` has held at once; null where the system does not tell. */
export function peakMemoryBytesOf(pid: number): number | null {
  return bytesIn(pid, /^VmHWM:\s*(\d+) kB$/m);
}

/** The memory that process `pid` holds now; null where the system does not tell. */
export function memoryBytesOf(pid: number): number | null {
  return bytesIn(pid, /^VmRSS:\s*(\d+) kB$/m);
}

function bytesIn(pid: number, field: RegExp): number | null {
  const kibibytes = field.exec(readProc(pid, "status") ?? "")?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return null;
  }
}
