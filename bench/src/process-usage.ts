import { readFileSync } from "node:fs";

/** Linux reports processor time in hundredths of a second, however the kernel was built. */
const TICKS_PER_SECOND = 100;

/** Processor time of all threads of process `pid`, user and system; null when the system does not report it. */
export function cpuSecondsOf(pid: number): number | null {
  const stat = readProc(pid, "stat");
  // The second field, the command, is in parentheses and may contain any characters.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND;
}

/** Peak memory of process `pid`; null when the system does not report it. */
export function peakMemoryBytesOf(pid: number): number | null {
  return bytesIn(pid, /^VmHWM:\s*(\d+) kB$/m);
}

/** Current memory of process `pid`; null when the system does not report it. */
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
