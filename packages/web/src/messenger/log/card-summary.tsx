import { cardSummary } from "@portico/card";
import { usePreferences } from "../../shared/look/preferences.ts";
import { membersOf } from "../../shared/text/file-content.ts";

/** The line that stands for a card in lists. */
export function CardSummary({ content, fallback }: { content: unknown; fallback: string }) {
  const { locale } = usePreferences();
  return cardSummary(membersOf(content).card, locale) || fallback;
}
