/**
 * The names in braces in a text: `"at most {max} of {what}"` has `max` and `what`.
 *
 * Such a text is a template: the message of an error whose values vary.
 */
export type ParamNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Values for the names in braces in a text. */
export type Params = Readonly<Record<string, string | number>>;

const NAME = /\{(\w+)\}/g;

/** "at most 1 characters": a noun of the tables after the number one. */
const ONE =
  /(?<![\w.,-])1 (account|agent|application|byte|character|component|day|interval|level|member|part|second)s\b/g;

/** Makes the nouns of an English text singular that follow the number one. */
export function singular(text: string): string {
  return text.replace(ONE, "1 $1");
}

/** Replaces the names in a text by their values. Values are inserted unchanged, including their braces. */
export function fillTemplate(text: string, params: Params): string {
  return text.replace(NAME, (whole, name: string) => (Object.hasOwn(params, name) ? `${params[name]}` : whole));
}

/**
 * The values with which {@link fillTemplate} creates `filled` from `template`; null when there are none. When several
 * solutions exist, each value except the last is as short as possible. Takes linear time in the length of `filled`.
 */
export function readTemplate(template: string, filled: string): Params | null {
  // Alternating: constant parts at even positions, names at odd ones.
  const parts = template.split(NAME);
  const [first = ""] = parts;
  if (parts.length === 1) return filled === template ? {} : null;
  if (!filled.startsWith(first)) return null;
  const params: Record<string, string> = {};
  let at = first.length;
  for (let index = 1; index < parts.length; index += 2) {
    const words = parts[index + 1] ?? "";
    const isLast = index + 2 >= parts.length;
    const end = isLast ? filled.length - words.length : filled.indexOf(words, at);
    if (end < at || !filled.startsWith(words, end)) return null;
    params[parts[index] ?? ""] = filled.slice(at, end);
    at = end + words.length;
  }
  return params;
}
