import { bashSnippet } from "./bash.ts";
import { goSnippet } from "./go.ts";
import { javaSnippet } from "./java.ts";
import { pythonSnippet } from "./python.ts";
import type { SnippetCall } from "./snippet-call.ts";
import { typescriptSnippet } from "./typescript.ts";

/** A language that a call can be written in. */
export interface SnippetLanguage {
  key: string;
  /** A name, the same in every language of the pages. */
  name: string;
  write: (call: SnippetCall) => string;
}

/** The languages in which the explorer shows a call, in the order of its tabs. */
export const SNIPPET_LANGUAGES: readonly SnippetLanguage[] = [
  { key: "curl", name: "curl", write: bashSnippet },
  { key: "typescript", name: "TypeScript", write: typescriptSnippet },
  { key: "python", name: "Python", write: pythonSnippet },
  { key: "go", name: "Go", write: goSnippet },
  { key: "java", name: "Java", write: javaSnippet },
];
