import { canonicalQuery } from "@portico/protocol";
import { type Endpoint, OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { OperationName, SnippetCall } from "../../shared/calls/snippets/snippet-call.ts";
import { type JsonSchema, membersOf } from "./schema-field.ts";

/** What a person has filled in for a call. */
export interface CallInput {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  /** The body as JSON, as it is written. */
  json: string;
  file: File | null;
}

/** The description of a call. */
export function endpointOf(operation: OperationName): Endpoint {
  return OPEN_ENDPOINTS[operation];
}

/** The names of a path's parameters. */
export function paramNamesOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** What has to be filled in before the call has an address. */
export function missingOf(operation: OperationName, { params, query }: CallInput): string[] {
  const endpoint = endpointOf(operation);
  const asked = membersOf((endpoint.query ?? {}) as JsonSchema).filter(({ isRequired }) => isRequired);
  return [
    ...paramNamesOf(endpoint).filter((name) => !params[name]),
    ...asked.map(({ name }) => name).filter((name) => query[name] === undefined),
  ];
}

/** The call as a snippet makes it; what is still missing of its path is shown by its name. */
export function snippetCallOf(
  operation: OperationName,
  input: CallInput,
  caller: Pick<SnippetCall, "baseUrl" | "appId" | "credentialId">,
): SnippetCall {
  const endpoint = endpointOf(operation);
  const given = Object.entries(input.query).filter(([, value]) => value !== undefined);
  const rawQuery = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return {
    ...caller,
    operation,
    method: endpoint.method,
    path: endpoint.path.replace(/:(\w+)/g, (whole, name: string) =>
      input.params[name] ? encodeURIComponent(input.params[name]) : whole.slice(1),
    ),
    params: input.params,
    query: canonicalQuery(rawQuery.join("&")),
    body: bodyOf(endpoint, input),
  };
}

function bodyOf(endpoint: Endpoint, { json, file }: CallInput): SnippetCall["body"] {
  if (endpoint.takesFile) {
    return { fileName: file?.name ?? "picture.png", mimeType: file?.type || "application/octet-stream" };
  }
  return endpoint.body === undefined ? null : { json };
}
