import { type ReactNode, useCallback, useState } from "react";
import { type CardAction, CardView, cardLayout, cardSummary } from "../src/index.ts";
import type { NamedCard } from "./named-card.ts";

interface Props {
  cards: readonly NamedCard[];
  locale: string;
  /** Every action fails. */
  fails: boolean;
}

/** How long the bot of the gallery takes to answer, in ms. */
const ANSWER_MS = 600;

/** Cards below each other, as in a log, and what is done to them. */
export function Gallery({ cards, locale, fails }: Props): ReactNode {
  const [actions, setActions] = useState<readonly CardAction[]>([]);
  const act = useCallback(
    async (action: CardAction) => {
      await new Promise((done) => setTimeout(done, ANSWER_MS));
      setActions((before) => [...before, action]);
      if (fails) throw new Error("the gallery was asked to fail");
    },
    [fails],
  );
  return (
    <main>
      <h1>Cards</h1>
      <div className="log">
        {cards.map(({ name, card }, index) => (
          <article key={name} data-unbubbled={cardLayout(card).unbubbled || undefined}>
            <h2>{name}</h2>
            <p className="summary">{cardSummary(card, locale)}</p>
            <CardView card={card} messageId={index + 1} locale={locale} onAction={act} />
          </article>
        ))}
      </div>
      <ol id="actions">
        {actions.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions are only added at the end
          <li key={index}>{JSON.stringify(action)}</li>
        ))}
      </ol>
    </main>
  );
}
