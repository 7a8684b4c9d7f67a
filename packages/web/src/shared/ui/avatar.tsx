import styles from "./avatar.module.css";

const COLOURS = 8;

/**
 * A person's or a bot's picture: initials on a colour of their own. A person's colour is that of their name, since pages know a person
 * by different ids; what may be called differently, such as a bot, a group or a visitor, has that of its id.
 */
export function Avatar({
  id,
  name,
  size = 36,
  isBot = false,
}: {
  id?: string | undefined;
  name: string;
  size?: number;
  isBot?: boolean;
}) {
  return (
    <span
      aria-hidden="true"
      className={styles.avatar}
      data-colour={hash(id ?? name.trim()) % COLOURS}
      data-bot={isBot || undefined}
      // Drawn by the stylesheet: a reader of the page's text has the name beside it.
      data-initials={initials(name)}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.4) }}
    />
  );
}

/** Of a Chinese name its first character; of others the first letters of its first and last word. */
function initials(name: string): string {
  const characters = Array.from(name.trim());
  const [first = "?"] = characters;
  if (/\p{Script=Han}/u.test(first)) return first;
  const words = name.trim().split(/\s+/);
  const second = words.length > 1 ? Array.from(words.at(-1) ?? "")[0] : undefined;
  return (first + (second ?? "")).toUpperCase();
}

function hash(text: string): number {
  let value = 0;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return value;
}
