import { type ApiDocument, type Call, nameOf, parametersOf, type Schema } from "../reference/api-document.ts";
import type { SearchPage } from "./search-texts.ts";

/** How deep the fields of a call's bodies are read: further in, other calls have them too. */
const DEPTH_MAX = 4;

/** The calls and events of the reference as pages to search: with what they take, give and refuse. */
export function referencePages(document: ApiDocument, calls: readonly Call[]): SearchPage[] {
  return calls.map((call) => {
    const { operation, path } = call;
    const fields = new Set<string>();
    for (const { name, description = "" } of parametersOf(call, document)) fields.add(`${name} ${description}`);
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const { schema } of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
      addFields(schema, document, fields, DEPTH_MAX);
    }
    const text = [operation.description ?? "", path, ...fields].join(" ");
    const section = { anchor: "", heading: operation.summary, text };
    return { path: `/reference/${operation.operationId}`, title: operation.summary, sections: [section] };
  });
}

function addFields(schema: Schema, document: ApiDocument, fields: Set<string>, depth: number): void {
  if (depth === 0) return;
  const own = schema.$ref === undefined ? schema : document.components.schemas[nameOf({ $ref: schema.$ref })];
  if (own === undefined) return;
  for (const [name, field] of Object.entries(own.properties ?? {})) {
    fields.add(`${name} ${field.description ?? ""}`.trim());
    addFields(field, document, fields, depth - 1);
  }
  for (const part of [own.items, ...(own.oneOf ?? []), ...(own.anyOf ?? [])]) {
    if (part !== undefined) addFields(part, document, fields, depth - 1);
  }
}
