export * from "./canonical.ts";
export * from "./cards/index.ts";
export * from "./envelope.ts";
export * from "./errors.ts";
export * from "./events.ts";
export * from "./limits.ts";
export * from "./message-types.ts";
export type * from "./schemas/index.ts";
export * from "./scopes.ts";
