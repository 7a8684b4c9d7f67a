import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** What a process opens beside its connections: the database's, files, callbacks. */
const OTHERS = 1_024;
/** Beyond this the table is left to grow by itself: to open half as many takes as long as what it saves. */
const MOST = 131_072;

/**
 * Has the kernel make room for the descriptors of so many connections. Linux doubles the table of a process when it is
 * full, and the thread that opens the descriptor then waits until no processor uses the old table: 10 to 30 ms each
 * time, in which a process that is being flooded with connections would serve nobody. There is no call that only
 * enlarges the table, but it never shrinks. It has room for a power of two, so the first descriptor beyond the power below
 * what is wanted makes it large enough.
 */
export function makeRoomForConnections(connections: number): void {
  const wanted = Math.min(connections + OTHERS, MOST);
  const enough = 2 ** (Math.ceil(Math.log2(wanted)) - 1) + 1;
  const opened: number[] = [];
  try {
    while (opened.length < enough) opened.push(openSync(devNull, "r"));
  } catch {
    // The process may have no more; those that it has are in the table.
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
