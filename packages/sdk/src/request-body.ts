import { compactJson } from "@portico/protocol";

/** The body of a request, as it is signed and sent. */
export interface RequestBody {
  /** The `Content-Type` header. */
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A body of JSON. */
export function jsonBody(value: unknown): RequestBody {
  return { contentType: "application/json", bytes: new TextEncoder().encode(compactJson(value)) };
}
