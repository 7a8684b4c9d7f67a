/** The colours that the stylesheet knows (styles/colors.css). */
const COLORS = new Set(
  "blue wathet turquoise green lime yellow orange red carmine violet purple indigo grey".split(" "),
);
/** Names that others use for the same. */
const ALIASES: Readonly<Record<string, string>> = {
  neutral: "grey",
  gray: "grey",
  light_grey: "grey",
  sunflower: "yellow",
};

/** The colour that a card names, with or without a shade (`blue`, `blue-500`); undefined for none that is known. */
export function colorOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 32) return undefined;
  const name = value.trim().toLowerCase().replace(/-\d+$/, "");
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return known !== undefined && COLORS.has(known) ? known : undefined;
}
