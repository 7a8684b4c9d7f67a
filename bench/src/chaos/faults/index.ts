import { DATABASE_FAULTS } from "./databases.ts";
import { DISK_FAULTS } from "./disk.ts";
import type { Fault } from "./fault.ts";
import { PROCESS_FAULTS } from "./processes.ts";
import { RECEIVER_FAULT } from "./receiver.ts";

export type { Fault } from "./fault.ts";

/** All faults, in the order of `--help`. */
export const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, ...DISK_FAULTS, ...DATABASE_FAULTS, RECEIVER_FAULT];
