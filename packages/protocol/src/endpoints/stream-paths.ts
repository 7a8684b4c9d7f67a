import { SOCKET_PATH } from "../socket.ts";

/** The paths of the live streams, by kind (docs/contract/streams.md), and of socket mode. */
export const STREAM_PATHS = {
  events: SOCKET_PATH,
  member: "/api/client/v1/stream",
  agent: "/api/desk/v1/stream",
  visitor: "/api/widget/v1/stream",
} as const;
