import { memberText } from "@portico/protocol/json-member";
import { brokenRule } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { FileOwner } from "../files/file-store.ts";
import type { CardParts } from "./accept-card.ts";
import { acceptCard, type ReceivedCard } from "./accept-card.ts";
import { findTemplate } from "./template-store.ts";

/**
 * Reads the content of a card message: an inline card, or a template, which is expanded and then checked like an inline
 * card (docs/contract/messages.md#content).
 *
 * @throws ApiError 400006 with the card's problem; 400008 for an unusable image.
 */
export async function resolveCardContent(
  ctx: CardParts,
  tx: Db,
  owner: FileOwner,
  { source, rawBody }: { source: { card: object } | { cardId: string }; rawBody: Buffer },
  now: number,
): Promise<{ json: string; cardVersion: number }> {
  if ("card" in source) {
    const received = receivedCard(source.card, rawBody, ["content", "card"]);
    return { json: await cardContent(ctx, tx, owner, received, now), cardVersion: 1 };
  }
  const template = await findTemplate(tx, owner.id, source.cardId);
  if (template === null) throw brokenRule("template-unknown", { pointer: "/content/cardId" });
  const expanded = { card: JSON.parse(template.card) as unknown, json: template.card, at: "" };
  return { json: await cardContent(ctx, tx, owner, expanded, now), cardVersion: template.version };
}

/** The stored content of a message with this card, as members will receive it: JSON text. */
export async function cardContent(
  ctx: CardParts,
  tx: Db,
  owner: FileOwner,
  card: ReceivedCard,
  now: number,
): Promise<string> {
  return `{"card":${await acceptCard(ctx, tx, owner, card, now)}}`;
}

/** The card at `path` in a request body. */
export function receivedCard(card: unknown, rawBody: Buffer, path: readonly string[]): ReceivedCard {
  const body = rawBody.toString("utf8");
  const json = path.reduce((text, name) => memberText(text, name) ?? "null", body);
  return { card, json, at: `/${path.join("/")}` };
}
