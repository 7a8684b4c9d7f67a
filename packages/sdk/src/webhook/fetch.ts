import { concat } from "./concat.ts";
import type { WebhookOptions } from "./options.ts";
import { WebhookReceiver } from "./receiver.ts";
import { RequestAborted, SetupError } from "./request-errors.ts";

/**
 * A webhook receiver for servers based on `Request` and `Response`: Hono, Next.js route handlers, Deno, Bun. See
 * {@link webhookHandler} for its answers.
 */
export function fetchHandler(options: WebhookOptions): (request: Request) => Promise<Response> {
  const receiver = new WebhookReceiver(options);
  return async (request) => {
    const { method, headers } = request;
    try {
      const answer = await receiver.answer({ method, headers, readBody: (maxBytes) => bodyOf(request, maxBytes) });
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (!(error instanceof RequestAborted)) throw error;
      return new Response(null, { status: error.statusCode });
    }
  };
}

async function bodyOf(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (request.bodyUsed) throw new SetupError("the body has been read before it came to the webhook handler");
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) return null;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new RequestAborted("the request was cut off", { cause });
  }
  return concat(chunks, size);
}
