import { reportCard } from "../sample-cards.ts";

/** The kinds of message that are measured, with their titles. */
export const MESSAGE_KINDS = {
  text: "a text",
  card: "a 10 KB card of 100 components",
} as const;
export type MessageKind = keyof typeof MESSAGE_KINDS;

/** Fixed number of digits of a message's number, so that all messages of a kind have the same length. */
const NUMBER_DIGITS = 12;
const PLACEHOLDER = "#".repeat(NUMBER_DIGITS);

const TEMPLATES: Record<MessageKind, string> = {
  text: JSON.stringify({ text: `Build ${PLACEHOLDER} of the main branch passed: 1,204 tests in 4 min 12 s.` }),
  card: JSON.stringify({ card: reportCard(`Build ${PLACEHOLDER} of the main branch passed`) }),
};

/** The `content` of a message as JSON, such as a build server would send; each `number` gives another content. */
export function contentJson(kind: MessageKind, number: number): string {
  return TEMPLATES[kind].replace(PLACEHOLDER, String(number).padStart(NUMBER_DIGITS, "0"));
}
