/** Limits of the contract that no configuration changes (docs/contract/limits.md). Sizes are in bytes. */
export const LIMITS = {
  ordinaryBodyBytes: 256 * 1024,
  uploadBodyBytes: 22 * 1024 * 1024,
  uploadFileBytes: 20 * 1024 * 1024,
  clientMessageIdLength: 64,
  installationsPageSize: 1_000,
} as const;

/** Bounds that the contract leaves open; chosen so that no header or id can grow without end. */
export const BOUNDS = {
  nonceLength: 128,
  /** Ids and account names. */
  idLength: 128,
  mentions: 500,
  groupMembers: 5_000,
  /** Files that a person may have uploaded and not yet sent. */
  unsentFiles: 100,
  /** Width and height of a picture, in pixels. */
  imagePixels: 1_000_000,
} as const;
