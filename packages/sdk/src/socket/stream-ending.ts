/**
 * Why a bot gets no more events by socket: it was stopped; its credential was revoked or is past its grace; its
 * application was disabled; or the service refused it when it connected again.
 */
export type StreamEnding = "stopped" | "credential" | "disabled" | "refused";
