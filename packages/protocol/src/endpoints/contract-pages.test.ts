import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { TObject } from "typebox";
import { CLIENT_ENDPOINTS, DESK_ENDPOINTS, type Endpoint, OPEN_ENDPOINTS, WIDGET_ENDPOINTS } from "./index.ts";

/** Where each API's calls are described: the page, its section if it has others, and the path that calls are relative to. */
const SECTIONS: { of: string; page: string; heading?: string; base: string; endpoints: Record<string, Endpoint> }[] = [
  { of: "the members' API", page: "client.md", base: "/api/client/v1/", endpoints: CLIENT_ENDPOINTS },
  {
    of: "customer service",
    page: "customer-service.md",
    heading: "## The open API",
    base: "/api/open/v1/",
    endpoints: OPEN_ENDPOINTS,
  },
  {
    of: "the desk's API",
    page: "customer-service.md",
    heading: "## The desk",
    base: "/api/desk/v1/",
    endpoints: DESK_ENDPOINTS,
  },
  {
    of: "the widget's API",
    page: "customer-service.md",
    heading: "## The widget",
    base: "/api/widget/v1/",
    endpoints: WIDGET_ENDPOINTS,
  },
];

/** A row of a table of calls. */
interface Row {
  takes: string;
  value: string;
}

/** The text under a heading, up to the next one of the same level; without a heading, the whole page. */
function textOf(page: string, heading: string | undefined): string {
  const text = readFileSync(new URL(`../../../../docs/contract/${page}`, import.meta.url), "utf8");
  if (heading === undefined) return text;
  const [, rest] = text.split(`\n${heading}\n`);
  assert.ok(rest !== undefined, `${page} has no heading ${heading}`);
  return rest.split("\n## ")[0] ?? "";
}

/** The rows of a text's tables of calls, by method and path. The last two columns are what a call takes, and its value. */
function rowsOf(text: string): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const [, call = "", cells = ""] of text.matchAll(/^\| `([A-Z]+ \S+)` \|(.*)\|$/gm)) {
    const [value = "", takes = ""] = cells.split("|").reverse();
    rows.set(call, { takes: takes.trim(), value: value.trim() });
  }
  return rows;
}

/** The names in backquotes, each with the star behind it, if it has one. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`(\*?)/g)].map(([, name, star]) => `${name}${star}`);
}

/** What an endpoint takes, as the pages write it: with a star behind what is required. */
function takenBy({ query, body }: Endpoint): string[] {
  return [query, body].flatMap((schema) => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: readonly string[] };
    return Object.keys(properties).map((name) => (required.includes(name) ? `${name}*` : name));
  });
}

for (const { of, page, heading, base, endpoints } of SECTIONS) {
  describe(`docs/contract/${page}, ${of}`, () => {
    const rows = rowsOf(textOf(page, heading));
    const own = Object.values(endpoints).filter(({ path }) => path.startsWith(base));
    const described = new Map(
      own.map((endpoint) => {
        const path = endpoint.path.slice(base.length).replaceAll(/:(\w+)/g, "{$1}");
        return [`${endpoint.method} ${path}`, endpoint];
      }),
    );

    test("it has a row for each call, and for no other", () => {
      assert.deepEqual([...rows.keys()].sort(), [...described.keys()].sort());
    });
    for (const [call, endpoint] of described) {
      test(`${call}: the row names what the call takes and answers with`, () => {
        const { takes = "", value = "" } = rows.get(call) ?? {};
        assert.deepEqual(namesIn(takes).sort(), takenBy(endpoint).sort());
        assert.equal(takes === "a file", endpoint.takesFile === true);
        const answered = Object.keys((endpoint.value as TObject).properties);
        // A cell that begins with an object's name lists only what the answer has in addition to that object.
        if (value.startsWith("`")) assert.deepEqual(namesIn(value), answered);
        else
          assert.deepEqual(
            namesIn(value).filter((name) => !answered.includes(name)),
            [],
          );
        assert.notEqual(value, "");
      });
    }
  });
}
