import type { TStringOptions } from "typebox";
import * as Type from "typebox";

/**
 * A text that is stored or looked up unchanged. NUL and lone surrogates are refused, because a database's UTF-8 text
 * cannot contain them.
 */
export function plainText(options: TStringOptions = {}) {
  return Type.String({ ...options, pattern: "^[^\\0\\p{Surrogate}]*$" });
}

/**
 * A {@link plainText} on one line, for names and addresses: without control characters, and without characters that
 * change the writing direction, which can disguise one name as another.
 */
export function plainLine(options: TStringOptions = {}) {
  return Type.String({ ...options, pattern: "^[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Surrogate}]*$" });
}
