import type { TStringOptions } from "typebox";
import * as Type from "typebox";

/**
 * A text that is looked up or kept as it is. NUL and lone surrogates are refused: no UTF-8 text of a database holds
 * them, so they could only be altered or fail there.
 */
export function plainText(options: TStringOptions = {}) {
  return Type.String({ ...options, pattern: "^[^\\0\\p{Surrogate}]*$" });
}

/**
 * A {@link plainText} on one line, for names and addresses: without control characters, and without what turns the
 * direction of writing, with which one name can be made to read as another.
 */
export function plainLine(options: TStringOptions = {}) {
  return Type.String({ ...options, pattern: "^[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Surrogate}]*$" });
}
