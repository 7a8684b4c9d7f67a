import { randomId } from "./random-id.ts";
import { quotable, type SnippetCall } from "./snippets/snippet-call.ts";

/** The bytes of a call's body and their type; both are signed and sent as they are here. */
export interface Payload {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** The body of a call as it is sent; null when it has none. */
export async function payloadOf(body: SnippetCall["body"], file: File | null): Promise<Payload | null> {
  if (body === null) return null;
  if ("json" in body) return { bytes: new TextEncoder().encode(body.json), contentType: "application/json" };
  // Too long to be in the file by chance.
  const boundary = `portico-${randomId()}`;
  const disposition = `Content-Disposition: form-data; name="file"; filename="${quotable(body.fileName)}"`;
  const head = `--${boundary}\r\n${disposition}\r\nContent-Type: ${body.mimeType}\r\n\r\n`;
  const form = new Blob([head, file ?? "", `\r\n--${boundary}--\r\n`]);
  const bytes = new Uint8Array(await form.arrayBuffer());
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}
