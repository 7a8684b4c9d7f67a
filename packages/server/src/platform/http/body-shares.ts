/** The guaranteed share of one caller, as a fraction of the limit for all. */
const OWN_PART = 1 / 8;
/** While less than this fraction of the limit is used, a caller may exceed its share. */
const LENT_PART = 1 / 2;
/** How much is freed at once when the memory is used up, as a fraction of a caller's share. */
const MADE_AT_ONCE = 1 / 32;

/** The sender of a body, as far as it is known before authentication. */
export interface BodySender {
  /** The caller whose share it uses: an application or a member; all unknown callers share one. */
  caller: string;
  /** The sender's address. The caller is not verified yet, so others may claim to be them. */
  address: string;
}

/** The memory of one caller's bodies, or of those from one address of that caller. */
class Share {
  readonly name: string;
  bytes = 0;
  bodies = 0;
  /** Bodies in transfer, in order of arrival. */
  readonly receiving = new Set<Body>();

  constructor(name: string) {
    this.name = name;
  }
}

class CallersShare extends Share {
  readonly addresses = new Map<string, Share>();
}

/** A body in transfer, or held until its call is answered. It refers to its shares, so that no lookup is needed. */
export class Body {
  /** Aborts its reception, to free memory for others. */
  readonly giveWay: () => void;
  readonly share: CallersShare;
  /** The part of the share that the sender's address uses. */
  readonly part: Share;
  /** Its memory. */
  bytes = 0;
  hasEnded = false;

  constructor(giveWay: () => void, share: CallersShare, part: Share) {
    this.giveWay = giveWay;
    this.share = share;
    this.part = part;
  }
}

/**
 * Divides the memory for bodies among callers. Each caller has a share, and may exceed it while half of the memory is
 * free. When the memory or a share is used up, unfinished bodies are aborted: of the caller that uses most, the address
 * that uses most, its oldest body first. So slow senders make room for active ones, and a stranger who claims a
 * caller's identity cannot block the caller.
 */
export class BodyShares {
  readonly #mostBytes: number;
  readonly #own: number;
  readonly #lent: number;
  readonly #callers = new Map<string, CallersShare>();
  #bytes = 0;

  /** @param mostBytes the memory limit for all bodies. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#own = mostBytes * OWN_PART;
    this.#lent = mostBytes * LENT_PART;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Registers a body; {@link end} must follow. `giveWay` aborts its reception, to free memory for others. */
  begin(sender: BodySender, giveWay: () => void): Body {
    const body = this.#open(sender, giveWay);
    body.share.receiving.add(body);
    body.part.receiving.add(body);
    return body;
  }

  /** Registers a complete body of `bytes`; {@link end} must follow. Null when no memory can be freed for it. */
  hold(sender: BodySender, bytes: number): Body | null {
    const body = this.#open(sender, nothing);
    if (this.reserve(body, bytes)) return body;
    this.end(body);
    return null;
  }

  #open({ caller, address }: BodySender, giveWay: () => void): Body {
    const share = this.#callers.get(caller) ?? new CallersShare(caller);
    if (share.bodies === 0) this.#callers.set(caller, share);
    const part = share.addresses.get(address) ?? new Share(address);
    if (part.bodies === 0) share.addresses.set(address, part);
    const body = new Body(giveWay, share, part);
    share.bodies++;
    part.bodies++;
    return body;
  }

  /** Adds received bytes; false, and nothing is added, when no memory can be freed for them. */
  reserve(body: Body, bytes: number): boolean {
    if (this.#bytes + bytes <= this.#lent) {
      this.#count(body, bytes);
      return true;
    }
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

  /** Marks the body as complete: it is not aborted any more. */
  complete(body: Body): void {
    body.share.receiving.delete(body);
    body.part.receiving.delete(body);
  }

  /** Releases the body's memory. Must be called once. */
  end(body: Body): void {
    const { share, part } = body;
    if (body.hasEnded) throw new Error("the body has ended before");
    body.hasEnded = true;
    this.complete(body);
    this.#count(body, -body.bytes);
    if (--part.bodies === 0) share.addresses.delete(part.name);
    if (--share.bodies === 0) this.#callers.delete(share.name);
  }

  /** Aborts unfinished bodies of a caller until they use at least `bytes` less, and a little more at once. */
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

function nothing() {}

/** The share that uses most, among those with a body in transfer other than `except`. */
function heaviest<T extends Share>(shares: Iterable<T>, except: Body): T | null {
  let found: T | null = null;
  for (const share of shares) {
    const others = share.receiving.size - (share.receiving.has(except) ? 1 : 0);
    if (others > 0 && (found === null || share.bytes > found.bytes)) found = share;
  }
  return found;
}
