import { quote } from "../../shared/calls/snippets/quote.ts";
import { proofKindOf } from "../calls/call-input.ts";
import { type ApiDocument, type Call, parametersOf } from "./api-document.ts";

/** A call that is not signed, as a command of curl, with the example's values. */
export function commandOf(call: Call, document: ApiDocument): string {
  const { method, operation } = call;
  const { path, query } = exampleAddress(call, document);
  const url = location.origin + (query === "" ? path : `${path}?${query}`);
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${quote(url)}`];
  const kind = proofKindOf(call);
  if (kind === "bearer") lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (kind === "cookie") lines.push("-b cookies.txt");
  for (const { name, in: place, required, example } of parametersOf(call, document)) {
    if (place === "header" && required) lines.push(`-H ${quote(`${name}: ${example}`)}`);
  }
  for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
    if (type === "multipart/form-data") lines.push("-F file=@graph.png");
    else lines.push(`-H ${quote(`Content-Type: ${type}`)}`, `-d ${quote(JSON.stringify(example))}`);
  }
  return lines.join(" \\\n  ");
}

/** The call's path with the example's values, and the query that it needs. */
export function exampleAddress(
  call: Call,
  document: ApiDocument,
): { path: string; query: string; params: Record<string, string> } {
  const query = new URLSearchParams();
  const params: Record<string, string> = {};
  let path = call.path;
  for (const { name, in: place, required, example, schema } of parametersOf(call, document)) {
    const value = String(example ?? schema.enum?.[0] ?? schema.default ?? name);
    if (place === "path") {
      params[name] = value;
      path = path.replace(`{${name}}`, encodeURIComponent(value));
    }
    if (place === "query" && required) query.set(name, value);
  }
  return { path, query: query.toString(), params };
}
