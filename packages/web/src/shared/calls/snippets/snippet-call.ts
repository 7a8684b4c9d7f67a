import type { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";

/** The names of the open API's calls. */
export type OperationName = Exclude<keyof typeof OPEN_ENDPOINTS, "streamEvents">;

/** A call as a snippet makes it. The secret is no part of it: snippets read it from the environment variable `APP_SECRET`. */
export interface SnippetCall {
  operation: OperationName;
  baseUrl: string;
  appId: string;
  credentialId: string;
  method: string;
  /** As it is sent: percent-encoded. */
  path: string;
  /** The values of the path's parameters, as they are. */
  params: Readonly<Record<string, string>>;
  /** In the canonical form, in which it is sent and signed; empty when there is none. */
  query: string;
  /** Text that is JSON; the name of a file to upload; or nothing. */
  body: { json: string } | { fileName: string; mimeType: string } | null;
}

/** Path and query. */
export function targetOf({ path, query }: SnippetCall): string {
  return query === "" ? path : `${path}?${query}`;
}

/** A file's name, as it can stand between the quotes of a part's header. */
export function quotable(fileName: string): string {
  return fileName.replace(/\p{Cc}/gu, "_").replace(/["\\]/g, "\\$&");
}
