export * from "./bot.ts";
export * from "./client.ts";
export * from "./envelope.ts";
