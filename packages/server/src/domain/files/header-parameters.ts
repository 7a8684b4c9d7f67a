/** A token of a header (RFC 9110, section 5.6.2), for regular expressions. */
export const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

const PARAMETER = new RegExp(`;[ \\t]*(${TOKEN})[ \\t]*=[ \\t]*`, "y");
const QUOTED = /"((?:[^"\\]|\\.)*)"[ \t]*(?=;|$)/sy;
const NEXT_PARAMETER = new RegExp(`;[ \\t]*(?:${TOKEN}[ \\t]*=|$)`, "g");

/**
 * Parses `value; name=text; name="text"`. An unquoted text extends to the next thing that looks like a parameter,
 * because the contract allows raw file names there.
 *
 * @returns null when the header does not have this form.
 */
export function parseParameters(header: string): { value: string; parameters: Map<string, string> } | null {
  const parameters = new Map<string, string>();
  const valueEnd = header.indexOf(";");
  if (valueEnd === -1) return { value: header.toLowerCase(), parameters };
  let at = valueEnd;
  while (at < header.length && !/^;[ \t]*$/.test(header.slice(at))) {
    PARAMETER.lastIndex = at;
    const [start, name] = PARAMETER.exec(header) ?? [];
    if (start === undefined || name === undefined || parameters.has(name.toLowerCase())) return null;
    at += start.length;
    QUOTED.lastIndex = NEXT_PARAMETER.lastIndex = at;
    const [quoted, escaped] = QUOTED.exec(header) ?? [];
    if (quoted === undefined && header[at] === '"') return null;
    const end = quoted === undefined ? (NEXT_PARAMETER.exec(header)?.index ?? header.length) : at + quoted.length;
    parameters.set(name.toLowerCase(), escaped?.replace(/\\(["\\])/g, "$1") ?? header.slice(at, end).trim());
    at = end;
  }
  return { value: header.slice(0, valueEnd).trim().toLowerCase(), parameters };
}
