import { type Filter, parseFilter } from "../../domain/scim/filter.ts";
import { invalidValue } from "../../domain/scim/scim-error.ts";
import type { Part } from "../../domain/scim/user-store.ts";

const USUAL_COUNT = 100;
export const MAX_COUNT = 200;
const MAX_INDEX = 10_000_000;

/** Which part of a list a query asks for, and of what. Values out of range are the nearest within (RFC 7644, section 3.4.2.4). */
export function listOf(query: Readonly<Record<string, unknown>>): { part: Part; filter: Filter | null } {
  const startIndex = Math.max(1, integerOf(query.startIndex, 1));
  const count = Math.min(MAX_COUNT, Math.max(0, integerOf(query.count, USUAL_COUNT)));
  const { filter } = query;
  if (filter !== undefined && typeof filter !== "string") throw invalidValue("filter is given once");
  return {
    part: { offset: Math.min(startIndex, MAX_INDEX) - 1, limit: count },
    filter: filter === undefined || filter === "" ? null : parseFilter(filter),
  };
}

function integerOf(value: unknown, usual: number): number {
  if (value === undefined || value === "") return usual;
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalidValue("startIndex and count are whole numbers, each given once");
}

/** A page of a list, as answers show it. */
export function listAnswer(resources: readonly object[], total: number, { offset }: Part): object {
  return {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
