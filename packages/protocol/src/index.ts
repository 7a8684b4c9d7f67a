export * from "./canonical.ts";
export * from "./envelope.ts";
export * from "./errors.ts";
export * from "./limits.ts";
export * from "./schemas/bot.ts";
export * from "./schemas/client.ts";
export * from "./scopes.ts";
