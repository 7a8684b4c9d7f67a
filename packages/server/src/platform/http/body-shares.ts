/** What is one caller's own, as a part of what all may take. */
const OWN_PART = 1 / 8;
/** Up to this part of it a caller may take more, as long as nobody else needs it. */
const LENT_PART = 1 / 2;
/** When there is no room, so much is made at once, as a part of what is a caller's own. */
const MADE_AT_ONCE = 1 / 32;

/** Who sends a body, as far as that is known before it is read. */
export interface BodySender {
  /** Whose room it takes: an application's, a member's; all strangers are one. */
  caller: string;
  /** Where it comes from: whoever says that they are the caller may be somebody else. */
  address: string;
}

/** What the bodies of one caller, or of one address for that caller, take. */
class Share {
  readonly name: string;
  bytes = 0;
  bodies = 0;
  /** Those that are still being received, in the order of their coming. */
  readonly receiving = new Set<Body>();

  constructor(name: string) {
    this.name = name;
  }
}

class CallersShare extends Share {
  readonly addresses = new Map<string, Share>();
}

/** A body that is being received, or is held until its call is answered. It knows its shares, so that none is looked up. */
export class Body {
  /** Ends its reception, to make room for others. */
  readonly giveWay: () => void;
  readonly share: CallersShare;
  /** What its sender's address has of the share. */
  readonly part: Share;
  /** What it takes. */
  bytes = 0;
  hasEnded = false;

  constructor(giveWay: () => void, share: CallersShare, part: Share) {
    this.giveWay = giveWay;
    this.share = share;
    this.part = part;
  }
}

/**
 * Shares out what bodies may take in memory. A caller may take a part of it, and more while half of all is free. Where there
 * is no room left, the caller's or all, it is made by whoever takes most: of their addresses the one that takes most, and of its unfinished bodies the one that began first. So those who send
 * and stop give way to those who send and go on, and strangers in the name of a caller do not keep the caller out.
 */
export class BodyShares {
  readonly #mostBytes: number;
  readonly #own: number;
  readonly #lent: number;
  readonly #callers = new Map<string, CallersShare>();
  #bytes = 0;

  /** @param mostBytes what all bodies may take together. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#own = mostBytes * OWN_PART;
    this.#lent = mostBytes * LENT_PART;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a body that begins; {@link end} must follow. `giveWay` ends its reception, to make room for others. */
  begin({ caller, address }: BodySender, giveWay: () => void): Body {
    const share = this.#callers.get(caller) ?? new CallersShare(caller);
    if (share.bodies === 0) this.#callers.set(caller, share);
    const part = share.addresses.get(address) ?? new Share(address);
    if (part.bodies === 0) share.addresses.set(address, part);
    const body = new Body(giveWay, share, part);
    share.bodies++;
    part.bodies++;
    share.receiving.add(body);
    part.receiving.add(body);
    return body;
  }

  /** Counts so many bytes more; false, and nothing is counted, when there is no room to be made for them. */
  take(body: Body, bytes: number): boolean {
    const { share } = body;
    const beyond = () => bytes + Math.min(share.bytes - this.#own, this.#bytes - this.#lent);
    if (beyond() > 0) this.#makeRoom(share, beyond(), body);
    if (beyond() > 0) return false;
    while (this.#bytes + bytes > this.#mostBytes) {
      const largest = heaviest(this.#callers.values(), body);
      if (largest === null) return false;
      this.#makeRoom(largest, this.#bytes + bytes - this.#mostBytes, body);
    }
    this.#count(body, bytes);
    return true;
  }

  /** From here on the body is whole, and gives way to none. */
  complete(body: Body): void {
    body.share.receiving.delete(body);
    body.part.receiving.delete(body);
  }

  /** Gives back what the body took. To be called once. */
  end(body: Body): void {
    const { share, part } = body;
    if (body.hasEnded) throw new Error("the body has ended before");
    body.hasEnded = true;
    this.complete(body);
    this.#count(body, -body.bytes);
    if (--part.bodies === 0) share.addresses.delete(part.name);
    if (--share.bodies === 0) this.#callers.delete(share.name);
  }

  /** Has unfinished bodies of a caller give way until theirs take so many bytes less, and some more at once. */
  #makeRoom(share: CallersShare, bytes: number, except: Body): void {
    const aim = share.bytes - bytes - this.#own * MADE_AT_ONCE;
    while (share.bytes > aim) {
      const part = heaviest(share.addresses.values(), except);
      if (part === null) return;
      for (const body of part.receiving) {
        if (body === except) continue;
        body.giveWay();
        break;
      }
    }
  }

  #count(body: Body, bytes: number): void {
    body.bytes += bytes;
    body.share.bytes += bytes;
    body.part.bytes += bytes;
    this.#bytes += bytes;
  }
}

/** The share that takes most, of those with bodies being received beside `except`. */
function heaviest<T extends Share>(shares: Iterable<T>, except: Body): T | null {
  let found: T | null = null;
  for (const share of shares) {
    const others = share.receiving.size - (share.receiving.has(except) ? 1 : 0);
    if (others > 0 && (found === null || share.bytes > found.bytes)) found = share;
  }
  return found;
}
