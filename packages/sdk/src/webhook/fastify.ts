import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { WebhookOptions } from "./options.ts";
import { readStream } from "./read-stream.ts";
import { WebhookReceiver } from "./receiver.ts";

/** What of Fastify is used, so that this SDK need not depend on it. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: string, parser: (request: unknown, payload: IncomingMessage) => Promise<unknown>): unknown;
  all(url: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

interface FastifyRequestLike {
  method: string;
  headers: IncomingHttpHeaders;
  body?: unknown;
}

interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  headers(headers: Record<string, string>): FastifyReplyLike;
  send(body: string): unknown;
}

/** How {@link fastifyWebhook} works. */
export interface FastifyWebhookOptions extends WebhookOptions {
  /** The path to receive at, below the prefix that the plugin is registered with. */
  url: string;
}

/**
 * A receiver of webhooks as a Fastify plugin: `await server.register(fastifyWebhook({ url: "/webhook", … }))`. It reads
 * the raw body itself and leaves the parsers of other routes alone. See {@link webhookHandler} for what it answers.
 */
export function fastifyWebhook({ url, ...options }: FastifyWebhookOptions): (server: FastifyLike) => Promise<void> {
  const receiver = new WebhookReceiver(options);
  return async (server) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser("*", async (_request, payload) => payload);
    server.all(url, async (request, reply) => {
      const { method, headers, body } = request;
      const stream = body instanceof Readable ? body : Readable.from([]);
      const readBody = (maxBytes: number) => readStream(stream, maxBytes);
      const answer = await receiver.answer({ method, headers, readBody });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    });
  };
}
