/** A developer who is signed in to the console. */
export interface Developer {
  developerId: string;
  /** Whether the developer is a platform operator. */
  operator: boolean;
  /** The login that the access token belongs to. */
  sessionId: string;
  /** The only tenant that the login sees; null: all of the developer's. */
  tenantId: string | null;
}

/** Where a call came from, as shown to the owner of a login. */
export interface CallOrigin {
  /** IP address. */
  address: string;
  userAgent: string;
}
