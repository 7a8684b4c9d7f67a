import { SERVICE_EXITS } from "@portico/protocol";
import { type Fault, possible } from "./fault.ts";

/** Faults of the disk that an embedded service writes to. */
export const DISK_FAULTS: readonly Fault[] = [
  {
    name: "sync-fails",
    what: "the disk fails to sync the database's log once",
    engines: ["embedded"],
    durationMs: [500, 2_000],
    endings: [SERVICE_EXITS.DISK_FAILED],
    missing: possible,
    async begin({ processes }) {
      for (const each of processes) each.failNextSync();
      return async () => {};
    },
  },
  {
    name: "disk-full",
    what: "other programs fill the disk to the last byte, then make room",
    engines: ["embedded"],
    durationMs: [1_000, 6_000],
    endings: [],
    missing: ({ disk }) => (typeof disk === "string" ? disk : null),
    async begin({ disk }) {
      if (typeof disk === "string") throw new Error(disk);
      disk.fillUpTo(0);
      return async () => disk.clear();
    },
  },
];
