export * from "./apply-images.ts";
export * from "./check-card.ts";
export { compactJson } from "./compact-json.ts";
export * from "./contract.ts";
export * from "./find-card-problems.ts";
export type { JsonObject } from "./json-object.ts";
export * from "./measure-card.ts";
export { suggestionFor } from "./suggestions.ts";
export type { CardImage, CardProblem } from "./walk-card.ts";
