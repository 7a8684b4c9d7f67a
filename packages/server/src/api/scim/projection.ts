import { attributeName } from "../../domain/scim/filter.ts";
import { invalidValue } from "../../domain/scim/scim-error.ts";

/** Which attributes an answer has (RFC 7644, section 3.9). */
export interface Projection {
  /** Whether any of an attribute is shown; its name in lower case. */
  shows(name: string): boolean;
  of(resource: object): object;
}

const ALWAYS = new Set(["schemas", "id"]);

/** The attributes that `attributes` and `excludedAttributes` ask for. @throws ScimError 400 */
export function projectionOf({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  const only = namesIn("attributes", attributes);
  const left = namesIn("excludedAttributes", excludedAttributes) ?? new Set();
  const whole = new Set([...(only ?? [])].map((name) => name.replace(/\..*$/, "")));
  const shows = (name: string) => ALWAYS.has(name) || ((only === null || whole.has(name)) && !left.has(name));
  const part = (name: string, value: unknown): unknown => {
    if (ALWAYS.has(name)) return value;
    return partOf(value, (sub) => {
      const path = `${name}.${sub.toLowerCase()}`;
      return (only === null || only.has(name) || only.has(path)) && !left.has(path);
    });
  };
  return {
    shows,
    of: (resource) =>
      Object.fromEntries(
        Object.entries(resource).flatMap(([key, value]) => {
          const name = key.toLowerCase();
          const shown = shows(name) ? part(name, value) : undefined;
          return shown === undefined ? [] : [[key, shown]];
        }),
      ),
  };
}

function namesIn(parameter: string, value: unknown): ReadonlySet<string> | null {
  if (value === undefined || value === "") return null;
  if (typeof value !== "string") throw invalidValue(`${parameter} is given once`);
  return new Set(value.split(",").map((name) => attributeName(name.trim())));
}

/** The sub-attributes that are shown; undefined when none is, of an object that has some. */
function partOf(value: unknown, isShown: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((each) => partOf(each, isShown)).filter((each) => each !== undefined);
    return entries.length === 0 && value.length > 0 ? undefined : entries;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([sub]) => isShown(sub));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
