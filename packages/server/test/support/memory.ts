import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage, so that the memory in use can be measured. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this engine does not let its garbage be collected on demand");
  collect();
}

/** Returns a function that tells by how many bytes this process has grown at most since, as far as the system tells. */
export function measureGrowth(): () => number {
  collectGarbage();
  const [before, fileBefore] = [process.memoryUsage().rss, fileBackedBytes()];
  return () => {
    // The peak reported by the system, not the current value; without pages of programs, which a system that has let go
    // of them reads again.
    return peakBytes() - before - Math.max(0, fileBackedBytes() - fileBefore);
  };
}

/** On Linux not what `getrusage` says: to the peak of a process it counts that of the one that has started it. */
function peakBytes(): number {
  return statusBytes("VmHWM") ?? process.resourceUsage().maxRSS * 1024;
}

function fileBackedBytes(): number {
  return statusBytes("RssFile") ?? 0;
}

/** A size from the process's status; null where the system has none. */
function statusBytes(name: "VmHWM" | "RssFile"): number | null {
  if (process.platform !== "linux") return null;
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}
