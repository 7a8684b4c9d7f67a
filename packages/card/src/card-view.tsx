import { type MouseEvent, memo, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import type { CardAction, OnCardAction } from "./action.ts";
import { type CardEnvironment, CardProvider } from "./card-context.ts";
import { CardHeaderView } from "./card-header.tsx";
import { ElementList } from "./element-view.tsx";
import { directPicture } from "./model/links.ts";
import { type CardMemory, forgetOthers } from "./model/memory.ts";
import { readCard } from "./model/read-card.ts";
import { CardLink } from "./parts/card-link.tsx";
import { PartBoundary } from "./parts/part-boundary.tsx";
import "./styles/card.css";
import { wordsFor } from "./words.ts";

export interface CardViewProps {
  /** A card's JSON, as received: anything at all. Give the same object as long as the card is the same. */
  card: unknown;
  /** Of the message that the card is in; empty in previews. */
  messageId: number | string;
  /** Of the reader: `zh-CN`, `en-US`. */
  locale: string;
  /** As the page around it, unless given. */
  theme?: "light" | "dark";
  /** Takes what the reader does to the bot; without it controls work, and nothing is reported. */
  onAction?: OnCardAction;
  /** Where a picture is fetched from, by its address. Without it https addresses are used as they are. */
  imageProxy?: (address: string) => string;
  /** Nothing can be acted on: the card is recalled, or the bot is gone. Links stay. */
  disabled?: boolean;
  /** What was done in this card before, and from now on. Without it that is forgotten when the card is taken away. */
  memory?: CardMemory;
}

const ANNOUNCED_MS = 5000;
const INTERACTIVE = "a, button, input, select, textarea, label, [popover]";

/**
 * Draws a card (docs/contract/cards.md#what-clients-draw). Whatever the card says, it runs nothing, links to http(s)
 * alone, stays within its width and breaks nothing around it.
 */
export const CardView = memo(function CardView(props: CardViewProps): ReactNode {
  const { card, messageId, locale, theme } = props;
  const model = useMemo(() => readCard(card, locale), [card, locale]);
  const { environment, announcement } = useEnvironment(props, model.header?.title ? 4 : 3);
  const { memory } = environment;
  useEffect(() => forgetOthers(memory, model.ids), [memory, model]);
  const titleId = `${environment.id}title`;
  const hasTitle = model.header !== null && model.header.title !== "";
  const { words } = environment;
  return (
    <CardProvider value={environment}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link within is the keyboard's way */}
      {/* biome-ignore lint/a11y/useSemanticElements: a log of cards as landmarks or fieldsets would be read out as such */}
      <div
        className="pc-card"
        role="group"
        data-card={messageId}
        data-theme={theme}
        data-width={model.width}
        data-wide={model.wide || undefined}
        data-align={model.unbubbled ? "center" : undefined}
        data-linked={model.link !== null || undefined}
        aria-labelledby={hasTitle ? titleId : undefined}
        aria-label={hasTitle ? undefined : words.card}
        onClick={model.link === null ? undefined : followLink}
      >
        <PartBoundary>
          {model.header !== null && <CardHeaderView header={model.header} titleId={titleId} link={model.link} />}
          {model.nodes.length > 0 && (
            <div className="pc-body pc-stack">
              <ElementList nodes={model.nodes} />
            </div>
          )}
          {model.link !== null && !hasTitle && (
            <CardLink address={model.link.href} className="pc-link pc-card-link">
              {words.open(model.link.host)}
            </CardLink>
          )}
        </PartBoundary>
        {announcement !== "" && (
          <div role="status" className="pc-unseen">
            {announcement}
          </div>
        )}
      </div>
    </CardProvider>
  );
});

/** The same for all parts as long as nothing that they need changes, so that none is drawn again without need. */
function useEnvironment(
  { locale, onAction, imageProxy, disabled = false, memory: given }: CardViewProps,
  headingLevel: 3 | 4,
): { environment: CardEnvironment; announcement: string } {
  const id = useId();
  const [own] = useState<CardMemory>(() => new Map());
  const memory = given ?? own;
  const [announcement, announce] = useState("");
  const latest = useRef(onAction);
  useEffect(() => {
    latest.current = onAction;
  });
  useEffect(() => {
    if (announcement === "") return;
    const timer = setTimeout(() => announce(""), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  const reports = onAction !== undefined;
  const environment = useMemo(
    (): CardEnvironment => ({
      id,
      words: wordsFor(locale),
      memory,
      disabled,
      headingLevel,
      act: reports ? async (action: CardAction) => latest.current?.(action) : null,
      announce,
      pictureAddress: imageProxy ?? directPicture,
    }),
    [id, locale, memory, disabled, headingLevel, reports, imageProxy],
  );
  return { environment, announcement };
}

/** A press anywhere in the card follows its link, but for one on something that has a use of its own. */
function followLink({ target, currentTarget, defaultPrevented }: MouseEvent<HTMLElement>): void {
  if (defaultPrevented || !(target instanceof Element) || target.closest(INTERACTIVE) !== null) return;
  // Who has just marked text wants to copy it.
  if (currentTarget.ownerDocument.getSelection()?.toString()) return;
  currentTarget.querySelector<HTMLAnchorElement>(".pc-title-link, .pc-card-link")?.click();
}
