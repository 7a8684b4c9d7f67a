import type { KeysOf } from "../../../shared/words/words.ts";
import type { OPERATOR } from "./words.ts";

interface OperatorSection {
  /** Its address below that of the operators' pages. */
  path: string;
  word: KeysOf<typeof OPERATOR>;
  /** Whether it is about one tenant, which its address names. */
  ofTenant?: true;
}

/** The operators' pages, in the navigation's order. */
export const OPERATOR_SECTIONS: readonly OperatorSection[] = [
  { path: "reviews", word: "reviews" },
  { path: "applications", word: "applications" },
  { path: "tenants", word: "tenants" },
  { path: "members", word: "members", ofTenant: true },
  { path: "groups", word: "groups", ofTenant: true },
  { path: "developers", word: "developers" },
  { path: "audit-log", word: "auditLog" },
  { path: "health", word: "health" },
];
