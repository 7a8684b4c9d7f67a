export type { CardAction, OnCardAction } from "./action.ts";
export { CardView, type CardViewProps } from "./card-view.tsx";
export { type CardMemory, hasUnreported } from "./model/memory.ts";
export { type CardLayout, cardLayout } from "./model/read-card.ts";
export { cardSummary } from "./model/summary.ts";
