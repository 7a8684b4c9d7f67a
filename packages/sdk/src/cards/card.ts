import { CARD_SCHEMA } from "@portico/protocol/cards/contract";
import { type CardFinding, findCardProblems } from "@portico/protocol/cards/find-card-problems";
import type { Component } from "./component.ts";

/** A text in one language, or in each language of `config.locales`. */
export type HeaderText = { content: string } | { i18n: Readonly<Record<string, string>> };

/** The header above a card's body. */
export interface CardHeader {
  title?: HeaderText;
  subtitle?: HeaderText;
  icon?: Component<"icon">;
  text_tag_list?: readonly Component<"text_tag">[];
  [attribute: string]: unknown;
}

/** Display options of a card. */
export interface CardConfig {
  width_mode?: "default" | "compact" | "fill";
  /** Shown instead of the card where there is no room for it. */
  summary?: { content: string };
  /** `center` shows the card in full width, without a bubble. */
  horizontal_align?: string;
  /** The languages of the card's texts. */
  locales?: readonly string[];
  [attribute: string]: unknown;
}

/** All parts of a card except its components. The service passes them on unchanged. */
export interface CardAttributes {
  header?: CardHeader;
  config?: CardConfig;
  /** Opened by a click on the card. */
  card_link?: { url: string };
  [attribute: string]: unknown;
}

/** A card (docs/contract/cards.md) as plain JSON, exactly as it is sent. */
export interface Card extends CardAttributes {
  schema: typeof CARD_SCHEMA;
  body: { elements: readonly Component[]; [attribute: string]: unknown };
}

/** A card that breaks rules. The message lists all of them. */
export class InvalidCardError extends Error {
  override readonly name = "InvalidCardError";
  /** Each broken rule, with its position and a suggestion. The first one's message is what the service would answer. */
  readonly findings: readonly CardFinding[];

  constructor(findings: readonly CardFinding[]) {
    const lines = findings.map(
      ({ pointer, message, suggestion }) => `\n${pointer || "(card)"}: ${message}. ${suggestion}`,
    );
    super(`the card breaks rules:${lines.join("")}`);
    this.findings = findings;
  }
}

/**
 * Makes a card of these components.
 *
 * @throws InvalidCardError when the service would refuse the card; fileKeys are not checked here.
 *
 * @example
 * card({
 *   header: { title: { content: "Build 1234 failed" } },
 *   elements: [
 *     markdown("**main** broke in `packages/server`."),
 *     columnSet(column(markdown("Author\nAlice")), column(markdown("Duration\n4 min"))),
 *     button("Open", { url: "https://ci.example.com/1234" }),
 *     button("Run again", { value: { build: 1234 } }),
 *   ],
 * });
 */
export function card({ elements, ...attributes }: CardAttributes & { elements: readonly Component[] }): Card {
  const made: Card = { schema: CARD_SCHEMA, ...attributes, body: { elements } };
  assertCard(made);
  return made;
}

/**
 * Asserts that a JSON value is a valid card.
 *
 * @throws InvalidCardError otherwise.
 */
export function assertCard(value: unknown): asserts value is Card {
  const findings = findCardProblems(value);
  if (findings.length > 0) throw new InvalidCardError(findings);
}
