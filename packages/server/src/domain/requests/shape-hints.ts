import type { CallRefusal, FormProblem } from "@portico/protocol";

type SchemaFault = Extract<CallRefusal, { check: "schema" }>["details"];

/** The problem and its solution, in one or two sentences. */
export function schemaHint({ field, pointer, problem, expected }: SchemaFault): string {
  if (pointer === "")
    return BODY_HINTS[problem] ?? `The body has to be ${expected ?? "as the API's description says"}.`;
  const where = pointer ? `${pointer} in the body` : `The parameter ${field}`;
  if (field === null) return "Correct what the answer's message names.";
  switch (problem) {
    case "missing":
      return `${where} is missing, null or empty: give it a value${expected === null ? "" : `, ${expected}`}.`;
    case "characters":
      return `${where} holds characters that it may not: NUL and lone surrogates are never allowed in ids.`;
    default:
      return `${where} has to be ${expected ?? "as the API's description says"}.`;
  }
}

/** Problems of the body as a whole. */
const BODY_HINTS: Partial<Record<SchemaFault["problem"], string>> = {
  missing: "The body is empty: send a JSON object.",
  "not-utf8": "The body is not UTF-8: encode it so before signing its bytes.",
  "not-json": 'The body is no JSON: look for a comma too many, quotes that are no ", or a body cut short.',
};

/** Suggestions for malformed uploads. */
export const FORM_HINTS: Record<FormProblem, string> = {
  boundary:
    "Name the boundary in the header: Content-Type: multipart/form-data; boundary=..., as it stands in the body.",
  "cut-off": "The body does not end with the closing delimiter: two hyphens, the boundary, two hyphens, CRLF.",
  "line-breaks":
    "Every line break of the form, the file's own bytes aside, is CRLF: a carriage return, then a line feed.",
  "part-head":
    'The head of a part cannot be read: Content-Disposition: form-data; name="file"; filename=..., then Content-Type, each on a line of its own.',
  "part-count": "Send the file alone: other parts are ignored anyway.",
  "other-parts": "Send the file alone: what the other parts hold is too much, and ignored anyway.",
  encoding: "Send the file's bytes as they are, without Content-Transfer-Encoding.",
  "no-file": 'There is no part with name="file" and a filename: a field without a filename is no file.',
  "several-files": 'One upload takes one file: send each part named "file" in a call of its own.',
  "file-size": "A file may have 20 MiB: send a smaller one, or a link to it.",
};
