/** A developer who is signed in to the console. */
export interface Developer {
  developerId: string;
  /** Whether they run the platform. */
  operator: boolean;
  /** The login that they are signed in by. */
  sessionId: string;
}

/** Where a call came from, as the owner of a login is shown it. */
export interface CallOrigin {
  /** The network address. */
  address: string;
  userAgent: string;
}
