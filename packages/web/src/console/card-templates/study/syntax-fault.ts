import type { Tree } from "@lezer/common";
import type { Place } from "./json-places.ts";

/** Why a text is no JSON, as far as it can be told. */
export type SyntaxReason =
  | "empty"
  | "unfinished"
  | "trailing-comma"
  | "missing-comma"
  | "single-quotes"
  | "comment"
  | "string"
  | "unexpected";

/** Where a text that is no JSON goes wrong, and why. */
export interface SyntaxFault {
  reason: SyntaxReason;
  place: Place;
}

/** Finds the first fault in a text that JSON.parse refuses. */
export function findSyntaxFault(text: string, tree: Tree): SyntaxFault {
  if (text.trim() === "") return { reason: "empty", place: { from: 0, to: text.length } };
  const at = firstError(tree) ?? firstBadString(text, tree);
  if (at === undefined) return { reason: "unexpected", place: { from: 0, to: 1 } };
  const from = at + leadingBlanks(text.slice(at));
  if (from >= text.length) {
    const last = text.trimEnd().length - 1;
    return { reason: "unfinished", place: { from: last, to: last + 1 } };
  }
  return reasonAt(text, from);
}

function reasonAt(text: string, from: number): SyntaxFault {
  const before = text.slice(0, from).trimEnd();
  const previous = before.at(-1) ?? "";
  const next = text.charAt(from);
  const place = { from, to: from + 1 };
  if (previous === "," && /[}\],]/.test(next)) {
    return { reason: "trailing-comma", place: { from: before.length - 1, to: before.length } };
  }
  if (next === "'") return { reason: "single-quotes", place };
  if (/^\/[/*]/.test(text.slice(from))) return { reason: "comment", place };
  if (/[\]}"\w]/.test(previous) && /["{[\w-]/.test(next)) return { reason: "missing-comma", place };
  if (next === '"') return { reason: "string", place };
  return { reason: "unexpected", place };
}

function firstError(tree: Tree): number | undefined {
  let first: number | undefined;
  tree.iterate({
    enter({ type, from }) {
      if (type.isError && first === undefined) first = from;
      return first === undefined;
    },
  });
  return first;
}

/** The tree knows where a string ends; what may stand in it, only JSON.parse does. */
function firstBadString(text: string, tree: Tree): number | undefined {
  let first: number | undefined;
  tree.iterate({
    enter({ name, from, to }) {
      if (first !== undefined || !/^(?:String|PropertyName|Number)$/.test(name)) return;
      try {
        JSON.parse(text.slice(from, to));
      } catch {
        first = from;
      }
    },
  });
  return first;
}

function leadingBlanks(text: string): number {
  return text.length - text.trimStart().length;
}
