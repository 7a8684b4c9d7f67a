import Type, { type TStringOptions } from "typebox";

/**
 * A text that is looked up or kept as it is. NUL and lone surrogates are refused: no UTF-8 text of a database holds
 * them, so they could only be altered or fail there.
 */
export function plainText(options: TStringOptions = {}) {
  return Type.String({ ...options, pattern: "^[^\\0\\p{Surrogate}]*$" });
}

/** A {@link plainText} on one line: without control characters, for names and addresses. */
export function plainLine(options: TStringOptions = {}) {
  return Type.String({ ...options, pattern: "^[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Surrogate}]*$" });
}
