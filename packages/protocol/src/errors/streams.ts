/** Why a live stream is closed: the close code (RFC 6455, section 7.4) and its reason. */
export interface StreamClose {
  readonly code: number;
  readonly reason: string;
}

/** The close codes that the service sends. */
export const STREAM_CLOSES = {
  STOPPING: { code: 1001, reason: "the service is stopping" },
  REPLACED: { code: 1012, reason: "the service is being replaced" },
  UNKNOWN_FRAME: { code: 1008, reason: "not a frame of this protocol" },
  TOO_MANY_FRAMES: { code: 1008, reason: "too many frames" },
  NOT_ALLOWED_HERE: { code: 1008, reason: "not allowed from here" },
  FAILED: { code: 1011, reason: "try again" },
  TOO_MANY_STREAMS: { code: 1013, reason: "too many streams" },
  TOO_SLOW: { code: 1013, reason: "too slow" },
  NOT_SIGNED_IN: { code: 4401, reason: "not signed in" },
  SIGNED_OUT: { code: 4401, reason: "signed out" },
} as const satisfies Record<string, StreamClose>;

/** Further close codes, sent by the WebSocket implementation without a reason. */
export const PROTOCOL_CLOSES = {
  PROTOCOL_ERROR: 1002,
  CONNECTION_LOST: 1006,
  NOT_UTF8: 1007,
  FRAME_TOO_LARGE: 1009,
} as const satisfies Record<string, number>;
