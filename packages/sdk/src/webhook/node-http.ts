import type { WebhookOptions } from "./options.ts";
import { type ByteStream, readStream } from "./read-stream.ts";
import { type WebhookAnswer, WebhookReceiver } from "./receiver.ts";
import { RequestAborted, SetupError } from "./request-errors.ts";

/** The part of `IncomingMessage`, of `node:http` and of Express, that is used. */
export interface NodeRequest extends ByteStream {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly readableDidRead: boolean;
}

/** The part of `ServerResponse` that is used. */
export interface NodeResponse {
  readonly headersSent: boolean;
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** Properties that earlier middleware may have set on a request. */
interface PossiblyRead extends NodeRequest {
  body?: unknown;
  rawBody?: unknown;
}

/**
 * A webhook receiver for `node:http`, `node:https` and Express: `app.post("/webhook", nodeHttpHandler(…))`. See
 * {@link webhookHandler} for its answers.
 *
 * In Express, mount it before `express.json()`, which consumes the raw body. If that is impossible, keep the raw body
 * with `express.json({ verify: (req, _res, bytes) => { req.rawBody = bytes; } })`, or use `express.raw({ type:
 * "application/json" })` on this route.
 */
export function nodeHttpHandler(
  options: WebhookOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receiver = new WebhookReceiver(options);
  return async (request, response) => {
    const { method = "", headers } = request;
    try {
      const readBody = (maxBytes: number) => bodyOf(request, maxBytes);
      write(response, await receiver.answer({ method, headers, readBody }));
    } catch (error) {
      if (!(error instanceof RequestAborted)) throw error;
    }
  };
}

async function bodyOf(request: PossiblyRead, maxBytes: number): Promise<Uint8Array | null> {
  const kept = [request.rawBody, request.body].find((body) => body instanceof Uint8Array);
  if (kept !== undefined) return kept.byteLength > maxBytes ? null : kept;
  if (!request.readableDidRead) return await readStream(request, maxBytes);
  throw new SetupError(
    "the body has been read before it came to the webhook handler: mount the handler before the JSON parser, " +
      "or let the parser's `verify` hook keep the bytes as request.rawBody",
  );
}

function write(response: NodeResponse, { status, headers, body }: WebhookAnswer): void {
  // Another middleware, such as one with a timeout, may have answered.
  if (response.headersSent) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}
