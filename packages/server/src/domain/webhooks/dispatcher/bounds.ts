/** How much a dispatcher has in hand, of one application and of all. Times are in milliseconds. */
export interface Bounds {
  /** Attempts of one application at a time; also the highest pace. */
  perApp: number;
  /** Attempts of all applications at a time. */
  maxAttempting: number;
  /**
   * Beyond `maxAttempting` each application may still have `share` attempts, `maxShared` of all together, so that a few
   * slow receivers hold up nobody else.
   */
  share: number;
  maxShared: number;
  /** Claims in hand, in whatever stage; each holds the body of its event. */
  maxClaims: number;
  /** While attempts are swift, an application has at most this many times `perApp` claims in hand. */
  aheadFactor: number;
  /** A claim that has waited longer than this for its attempt is given back, so that its lease covers the attempt. */
  maxAheadMs: number;
  /** Waiting applications that are attended to each time something ends. */
  wokenAtOnce: number;
  /** An application whose deliveries are due but locked by another transaction is looked at again after this time. */
  heldPauseMs: number;
  /** An application whose deliveries could not be claimed is looked at again after this time. */
  pauseAfterErrorMs: number;
}

/** The bounds of a process that attempts up to `perApp` deliveries of one application at a time. */
export function boundsFor(perApp: number): Bounds {
  return {
    perApp,
    maxAttempting: 256,
    share: 2,
    maxShared: 256,
    maxClaims: 1_024,
    aheadFactor: 4,
    maxAheadMs: 2_000,
    wokenAtOnce: 16,
    heldPauseMs: 100,
    pauseAfterErrorMs: 1_000,
  };
}

/** What all applications together have in hand. */
export interface Load {
  attempting: number;
  /** Claims in hand, and those that looks under way may still bring. */
  claims: number;
  /** Whether applications wait for a place or for claims. */
  isContended: boolean;
}

/** What one application has in hand. */
export interface AppLoad {
  waiting: number;
  attempting: number;
  recording: number;
  swift: boolean;
  pace: number;
}

/** How many more attempts of the application may begin now as far as all attempts together are concerned. */
export function placesFor(attemptingOfApp: number, attempting: number, bounds: Bounds): number {
  const free = bounds.maxAttempting - attempting;
  if (free > 0) return free;
  return Math.max(0, Math.min(bounds.share - attemptingOfApp, bounds.maxShared + free));
}

/**
 * How many deliveries of the application to claim now. Claims are taken ahead of their attempts only while attempts are
 * swift and no application waits.
 *
 * @returns 0 or less when none; "wait" when other applications have taken what there is.
 */
export function roomFor(app: AppLoad, all: Load, bounds: Bounds): number | "wait" {
  const { waiting, attempting, recording, swift, pace } = app;
  const { perApp, maxAttempting, share, maxClaims, aheadFactor } = bounds;
  const claims = maxClaims - all.claims;
  const free = placesFor(attempting, all.attempting, bounds);
  if (claims <= 0 || free === 0) return "wait";
  const places = free - waiting;
  if (places <= 0) return 0;
  const inHand = waiting + attempting + recording;
  if (swift && !all.isContended && pace >= perApp) {
    // Many in one transaction rather than one for each attempt that ends.
    return waiting > perApp ? 0 : Math.min(aheadFactor * perApp - inHand, claims);
  }
  const room = Math.min(perApp - inHand, pace - inHand, places, claims);
  // When claims are scarce, an application whose receiver may hang must not take what others could use.
  const isScarce = all.claims >= maxAttempting;
  return isScarce ? Math.min(room, share - inHand) : room;
}
