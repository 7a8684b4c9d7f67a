import { Readable } from "node:stream";
import type { WebhookOptions } from "./options.ts";
import { readStream } from "./read-stream.ts";
import { WebhookReceiver } from "./receiver.ts";

/** The part of Fastify that is used, so that the SDK does not depend on it. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: string, parser: (request: unknown, payload: unknown) => Promise<unknown>): unknown;
  all(url: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

interface FastifyRequestLike {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body?: unknown;
}

interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  headers(headers: Record<string, string>): FastifyReplyLike;
  send(body: string): unknown;
}

/** Options of {@link fastifyWebhook}. */
export interface FastifyWebhookOptions extends WebhookOptions {
  /** The path to receive at, below the plugin's prefix. */
  url: string;
}

/**
 * A webhook receiver as a Fastify plugin: `await server.register(fastifyWebhook({ url: "/webhook", … }))`. It reads the
 * raw body itself and does not change the parsers of other routes. See {@link webhookHandler} for its answers.
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
