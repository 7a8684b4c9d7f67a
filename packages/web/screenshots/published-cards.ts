import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertCard } from "@portico/protocol/cards/convert";
import type { NamedCard } from "../../card/gallery/named-card.ts";

/** Names the directory of published test inputs; else one beside the repository is taken. */
const CORPORA = "PORTICO_TEST_CORPORA";
const BESIDE = resolve(import.meta.dirname, "../../../../shared/corpora");

/** Cards that others have published, as the card studio converts them; with a note when there are none. */
export function publishedCards(): { cards: NamedCard[]; note: string | null } {
  const folder = join(process.env[CORPORA] ?? BESIDE, "feishu-cards");
  if (!existsSync(folder)) return { cards: [], note: `no published cards: ${CORPORA} names no directory of them` };
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const cards = names.map((name) => {
    const card: unknown = withPictures(JSON.parse(readFileSync(join(folder, name), "utf8")));
    return { name: `published-${name.replace(/\.json$/, "")}`, card: convertCard(card)?.card ?? card };
  });
  return { cards, note: null };
}

/** Their pictures are keys of another system: what is shown is the card after they were uploaded. */
function withPictures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPictures);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    key === "img_key" && typeof member === "string" ? `https://pictures.example/${member}` : withPictures(member),
  ]);
  return Object.fromEntries(members);
}
