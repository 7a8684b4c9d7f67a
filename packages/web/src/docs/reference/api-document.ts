import { TransportError } from "@portico/protocol/client";
import { useRouteLoaderData } from "react-router";

/** A JSON Schema of the description. */
export interface Schema {
  $ref?: string;
  title?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
}

export interface Media {
  schema: Schema;
  example?: unknown;
  /** References to the examples of errors, by errorCode. */
  examples?: Readonly<Record<string, { $ref: string }>>;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: readonly string[];
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Media>> }>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The API's description in OpenAPI, as far as the reference shows it. */
export interface ApiDocument {
  tags: readonly { name: string; description: string }[];
  paths: Paths;
  webhooks: Paths;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
    examples: Readonly<Record<string, { summary: string; value: unknown }>>;
  };
}

/** Names the tenant that a developer's call concerns. */
export const TENANT_HEADER = "X-Open-Tenant-Id";

/** An operation with where it is; `method` is null for an event, which the service sends. */
export interface Call {
  method: string | null;
  /** A path, or the type of an event. */
  path: string;
  operation: Operation;
}

/** The route whose loader is {@link readApiDocument}. */
export const DOCUMENT_ROUTE = "docs";

/**
 * Reads the API's description, which the service makes of its own endpoints.
 *
 * @throws TransportError when it does not arrive whole.
 */
export async function readApiDocument({ request }: { request: Request }): Promise<ApiDocument> {
  let httpStatus: number | undefined;
  try {
    const response = await fetch("/docs/json", { signal: request.signal });
    httpStatus = response.status;
    if (response.ok) return (await response.json()) as ApiDocument;
  } catch (cause) {
    throw new TransportError("the API's description did not arrive", { cause, httpStatus });
  }
  throw new TransportError("the service has no description of its API", { cause: undefined, httpStatus });
}

/** The API's description, within the docs. */
export function useApiDocument(): ApiDocument {
  const document = useRouteLoaderData<ApiDocument>(DOCUMENT_ROUTE);
  if (document === undefined) throw new Error("the API's description is there within the docs alone");
  return document;
}

/** All calls and events, in the order of the description. */
export function callsOf({ paths, webhooks }: ApiDocument): Call[] {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const events = Object.entries(webhooks).flatMap(([path, operations]) =>
    Object.values(operations).map((operation) => ({ method: null, path, operation })),
  );
  return [...calls, ...events];
}

/** The last part of a reference, which names a component. */
export function nameOf({ $ref }: { $ref: string }): string {
  return $ref.split("/").at(-1) ?? "";
}

/** A call's parameters, with those that many calls share. */
export function parametersOf({ operation }: Call, { components }: ApiDocument): Parameter[] {
  return (operation.parameters ?? []).flatMap((parameter) =>
    "$ref" in parameter ? (components.parameters[nameOf(parameter)] ?? []) : parameter,
  );
}
