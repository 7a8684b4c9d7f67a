import { OPERATOR_ADVICE } from "./operator-advice.ts";

/** Advice for refusals of the calls by which operators keep tenants, members and groups, by status. */
export const DIRECTORY_ADVICE: Readonly<Record<string, string>> = {
  ...OPERATOR_ADVICE,
  "404": "Check the ids: `portico tenants`, `portico members` and `portico groups` list those there are.",
  "409": "There is one already, as the message says: choose another name.",
};
