export * from "./card.ts";
export * from "./component.ts";
export * from "./containers.ts";
export * from "./controls.ts";
export * from "./media.ts";
export * from "./texts.ts";
