import { readdirSync, readlinkSync } from "node:fs";

/** The files in `folder` that this process has open. */
export function openFilesIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}
