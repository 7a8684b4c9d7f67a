export * from "./bot.ts";
export * from "./client.ts";
export * from "./console.ts";
export * from "./envelope.ts";
