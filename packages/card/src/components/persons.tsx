import type { ReactNode } from "react";
import { useCard } from "../card-context.ts";
import { isJsonObject, type JsonObject, listOf, member } from "../model/json.ts";
import { DRAWN } from "../model/limits.ts";
import { linkOf } from "../model/links.ts";
import { cut, firstText } from "../model/text.ts";
import { More, Nothing } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";

/** `person`. */
export function Person({ element }: PartProps): ReactNode {
  return <OnePerson person={element} />;
}

/** `person_list`: those in `persons`. */
export function PersonList({ element }: PartProps): ReactNode {
  const all = listOf(element, "persons");
  const shown = all.slice(0, DRAWN.persons);
  if (shown.length === 0) return <Nothing />;
  return (
    <ul className="pc-persons">
      {shown.map((person, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one person may be named twice; only the place tells them apart
        <li key={index}>
          <OnePerson person={isJsonObject(person) ? person : { name: person }} />
        </li>
      ))}
      {all.length > shown.length && (
        <li>
          <More count={all.length - shown.length} />
        </li>
      )}
    </ul>
  );
}

function OnePerson({ person }: { person: JsonObject }): ReactNode {
  const { words, pictureAddress } = useCard();
  const name = cut(firstText(person, ["name", "user_name", "user_id"]), DRAWN.captionChars);
  const avatar = linkOf(member(person, "avatar_url")) ?? linkOf(member(person, "avatar"));
  return (
    <span className="pc-person">
      <span className="pc-avatar" data-color={AVATAR_COLORS[hash(name) % AVATAR_COLORS.length]} aria-hidden="true">
        {initials(name)}
        {avatar !== null && (
          <img
            key={avatar.href}
            src={pictureAddress(avatar.href)}
            alt=""
            loading="lazy"
            decoding="async"
            referrerPolicy="no-referrer"
            onError={hide}
          />
        )}
      </span>
      <span className="pc-person-name" dir="auto">
        {name || words.person}
      </span>
    </span>
  );
}

const AVATAR_COLORS = ["blue", "turquoise", "green", "orange", "carmine", "violet", "purple", "indigo"];

/** The initials stand below a picture that does not load. */
function hide(event: { currentTarget: HTMLImageElement }): void {
  event.currentTarget.hidden = true;
}

/** The first letters of the first two words; of a Chinese name, the last two characters, as is usual there. */
function initials(name: string): string {
  const letters = [...name.slice(0, DRAWN.captionChars).trim()];
  if (letters.length === 0) return "?";
  if (/\p{Script=Han}/u.test(name)) return letters.slice(-2).join("");
  const [first = "", second = ""] = name.trim().split(/[\s._-]+/u);
  return `${[...first][0] ?? ""}${[...second][0] ?? ""}`.toUpperCase();
}

function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}
