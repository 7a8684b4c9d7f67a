/** For so long after its rotation a refresh token still answers. */
export const GRACE_MS = 10_000;
/** The longest that a token which several may hold goes without a rotation. */
export const MAX_SHARED_MS = 600_000;
/** Rotations within a grace; beyond these the current token is given again, so that what is remembered stays bounded. */
const MAX_ROTATED = 32;

/** What is kept of the refresh tokens of a login. Times are epoch milliseconds. */
export interface RefreshState {
  /** Of the current token. */
  refreshHash: string;
  /** Counts the rotations. */
  generation: number;
  /** The tokens before it whose grace is not over, and the last one whatever its age; newest last. */
  rotated: readonly RotatedToken[];
  /** Until then the current token is not rotated, because it has been given to more than one holder. */
  sharedUntil: number;
}

export interface RotatedToken {
  hash: string;
  /** When it was rotated. */
  at: number;
}

/** What a token that was presented is answered with: the next one, the current one once more, or nothing. */
export type Presented = "rotate" | "repeat" | "reused";

/**
 * Judges a refresh token.
 *
 * One that was rotated less than {@link GRACE_MS} ago is answered with the current token: a page that was reloaded before
 * it got the answer, or a second tab, presents it. From then on an answer that carries the current token may be on its way
 * beside others, and whichever comes last is what the browser keeps. So the current token is not rotated for
 * {@link GRACE_MS} more: when it is, no answer that carries it is on its way any longer, and nobody is left with one that
 * will be taken for stolen. All holders of a login have the same token, so the first use after somebody else's rotation and
 * its grace shows that there are two.
 */
export function judge(state: RefreshState, hash: string, now: number): Presented {
  const isCurrent = hash === state.refreshHash;
  if (!isCurrent && !state.rotated.some((token) => token.hash === hash && inGrace(token, now))) return "reused";
  const isFull = state.rotated.filter((token) => inGrace(token, now)).length >= MAX_ROTATED;
  return isCurrent && !isShared(state, now) && !isFull ? "rotate" : "repeat";
}

/** The state after a rotation to the token with this hash. */
export function afterRotation(state: RefreshState, nextHash: string, now: number): RefreshState {
  return {
    refreshHash: nextHash,
    generation: state.generation + 1,
    rotated: [...state.rotated.filter((token) => inGrace(token, now)), { hash: state.refreshHash, at: now }],
    sharedUntil: 0,
  };
}

/** The state after the current token has been given once more. */
export function afterRepeat(state: RefreshState, now: number): RefreshState {
  const since = state.rotated.at(-1)?.at ?? now;
  return { ...state, sharedUntil: Math.min(now + GRACE_MS, since + MAX_SHARED_MS) };
}

/** The tokens that a login's row holds as JSON text. */
export function readRotated(text: string): RotatedToken[] {
  return JSON.parse(text) as RotatedToken[];
}

/** Times that lie further ahead than the clocks of processes differ come from before the clock was set back. */
function inGrace({ at }: RotatedToken, now: number): boolean {
  return Math.abs(now - at) < GRACE_MS;
}

function isShared({ sharedUntil }: RefreshState, now: number): boolean {
  return now < sharedUntil && sharedUntil - now < 2 * GRACE_MS;
}
