/**
 * What a member did to a card: the body of `POST messages/{messageId}/actions` of the members' API, and what the bot
 * gets as `action` of `card.interaction` (docs/contract/events.md#cardinteraction).
 */
export interface CardAction {
  /** Of the component. */
  tag: string;
  name: string | null;
  /** A button's `value`; what was entered into a control; whether a checkbox is checked. */
  value: unknown;
  /** The `value` of the chosen option, a list of them where several may be chosen; null for what has no options. */
  option: unknown;
  /** What was filled in, by the control's name; null for a button and for a control without name. */
  formValue: Readonly<Record<string, unknown>> | null;
  /** The member's time zone, such as `Asia/Shanghai`, by whose clock a time of day was entered. */
  timeZone?: string;
}

/** Takes an action to the bot. The card shows that it is under way, and whether the promise was kept. */
export type OnCardAction = (action: CardAction) => Promise<void> | void;
