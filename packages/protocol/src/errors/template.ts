/**
 * The names in braces in a text: `"at most {max} of {what}"` has `max` and `what`.
 *
 * A text of this kind is a template: an error's message whose words are fixed and whose values are not.
 */
export type ParamNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Values for the names in braces in a text. */
export type Params = Readonly<Record<string, string | number>>;

const NAME = /\{(\w+)\}/g;

/** The text with its names replaced by their values. A value is put in as it is, braces included. */
export function fillTemplate(text: string, params: Params): string {
  return text.replace(NAME, (whole, name: string) => (Object.hasOwn(params, name) ? `${params[name]}` : whole));
}

/**
 * The values with which {@link fillTemplate} makes `filled` out of `template`; null when there are none. Where several are
 * possible, each value but the last is as short as it can be. Takes time in proportion to the length of `filled`.
 */
export function readTemplate(template: string, filled: string): Params | null {
  // Words and names in turn: the even ones are words.
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
