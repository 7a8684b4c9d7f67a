export type { CardAction, OnCardAction } from "./action.ts";
export { CardView, type CardViewProps } from "./card-view.tsx";
export { type CardLayout, cardLayout } from "./model/read-card.ts";
export { cardSummary } from "./model/summary.ts";
