import { statfs } from "node:fs/promises";
import { freemem } from "node:os";

const MEMORY_DISK = "/dev/shm";
/** What `statfs` says of a disk in memory. */
const TMPFS = 0x01021994;
const ROOM_MIN_BYTES = 3e9;
/** What the tests themselves and a browser need beside it. */
const FREE_MIN_BYTES = 6e9;

/**
 * A directory in memory for data that only has to outlive a process, not the machine; null when there is none, or
 * little room in it (containers often have 64 MB) or in memory.
 */
export async function memoryDir(): Promise<string | null> {
  try {
    const { type, bavail, bsize } = await statfs(MEMORY_DISK);
    const hasRoom = bavail * bsize >= ROOM_MIN_BYTES && freemem() >= FREE_MIN_BYTES;
    return type === TMPFS && hasRoom ? MEMORY_DISK : null;
  } catch {
    return null;
  }
}
