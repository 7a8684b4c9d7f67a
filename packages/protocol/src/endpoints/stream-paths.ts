/** The paths of the live streams, by kind (docs/contract/streams.md). */
export const STREAM_PATHS = {
  member: "/api/client/v1/stream",
  agent: "/api/desk/v1/stream",
  visitor: "/api/widget/v1/stream",
} as const;
