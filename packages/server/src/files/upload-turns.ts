import type { FileOwner } from "./file-store.ts";

/** How many uploads may be under way at once in this process; each takes up to 42 MiB of the disk until it is stored. */
const MOST = 64;
/** How many of them may be of one owner, so that nobody keeps the others out. */
const MOST_OF_ONE: Record<FileOwner["type"], number> = { APP: 20, MEMBER: 3, VISITOR: 3 };

interface Waiting {
  owner: FileOwner;
  begin: () => void;
}

/** Bounds how many uploads are under way. */
export class UploadTurns {
  readonly #underWay = new Map<string, number>();
  /** In the order of their coming; no longer than there are connections. */
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  /** Begins an upload if there is room for it; {@link end} must follow. */
  tryBegin(owner: FileOwner): boolean {
    if (!this.#hasRoom(owner)) return false;
    this.#count(owner, 1);
    return true;
  }

  /**
   * Begins an upload as soon as there is room for it; {@link end} must follow.
   *
   * @throws the reason of `signal`, when that comes first.
   */
  begin(owner: FileOwner, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.tryBegin(owner)) return resolve();
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const waiting = { owner, begin };
      this.#waiting.add(waiting);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Ends an upload that has begun, and has those begin that there is room for now. */
  end(owner: FileOwner): void {
    this.#count(owner, -1);
    for (const waiting of this.#waiting) {
      if (this.#total >= MOST) return;
      if (!this.tryBegin(waiting.owner)) continue;
      this.#waiting.delete(waiting);
      waiting.begin();
    }
  }

  #hasRoom(owner: FileOwner): boolean {
    return this.#total < MOST && (this.#underWay.get(nameOf(owner)) ?? 0) < MOST_OF_ONE[owner.type];
  }

  #count(owner: FileOwner, change: 1 | -1): void {
    const name = nameOf(owner);
    const count = (this.#underWay.get(name) ?? 0) + change;
    if (count === 0) this.#underWay.delete(name);
    else this.#underWay.set(name, count);
    this.#total += change;
  }
}

function nameOf({ type, id }: FileOwner): string {
  return `${type} ${id}`;
}
