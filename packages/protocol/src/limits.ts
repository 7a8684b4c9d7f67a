/** Limits of the contract that cannot be configured (docs/contract/limits.md). Sizes are in bytes. */
export const LIMITS = {
  ordinaryBodyBytes: 256 * 1024,
  uploadBodyBytes: 22 * 1024 * 1024,
  uploadFileBytes: 20 * 1024 * 1024,
  clientMessageIdLength: 64,
  installationsPageSize: 1_000,
  conversationsPageSize: 200,
} as const;

/** Limits that the contract leaves open, so that every header and id is bounded. */
export const BOUNDS = {
  nonceLength: 128,
  /** Ids and account names. */
  idLength: 128,
  mentions: 500,
  groupMembers: 5_000,
  /** The most files of a person that were uploaded and not yet sent. */
  unsentFiles: 100,
  /** Width and height of a picture, in pixels. */
  imagePixels: 1_000_000,
} as const;
