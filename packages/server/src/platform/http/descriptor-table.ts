import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** What a process opens beside its connections: the database's, files, callbacks. */
const OTHERS = 1_024;
/** Beyond this the table is left to grow by itself: opening so many takes as long as what it saves. */
const MOST = 65_536;

/**
 * Has the kernel make room for the descriptors of so many connections. Linux doubles the table of a process when it is
 * full, and the thread that opens the descriptor then waits until no processor uses the old table: 10 to 30 ms each
 * time, in which a process that is being flooded with connections would serve nobody. There is no call that only
 * enlarges the table, but it never shrinks.
 *
 * @returns how many descriptors there was room for; fewer than asked for where the process may not have more.
 */
export function makeRoomForConnections(connections: number): number {
  const opened: number[] = [];
  try {
    while (opened.length < Math.min(connections + OTHERS, MOST)) opened.push(openSync(devNull, "r"));
  } catch {
    // The process may have no more; those that it has are in the table.
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
  return opened.length;
}
