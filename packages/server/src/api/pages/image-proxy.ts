import type { FastifyInstance, FastifyRequest } from "fastify";
import { findMember } from "../../domain/directory/member-store.ts";
import { type PictureFetcher, PictureRefused } from "../../domain/pictures/picture-fetcher.ts";
import { PictureTickets } from "../../domain/pictures/picture-tickets.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import { isFromOtherSite } from "../common/call-origin.ts";
import type { RouteParts } from "../common/parts.ts";
import { IMAGE_PROXY_PATH, PICTURE_COOKIE } from "../common/picture-cookie.ts";

/** What fetching pictures for the pages needs. */
export interface ImageProxyParts extends RouteParts {
  secretBox: SecretBox;
  /** Null while there is no image proxy. */
  pictures: PictureFetcher | null;
}

/** Pictures on their way at a time, from the question until the browser has them: of one caller, and of all. */
const MAX_OF_CALLER = 6;
const MAX_AT_ONCE = 24;
const SHOWN_FOR = "private, max-age=3600";

/**
 * `GET /image-proxy?address=`: pictures of cards and posts, so that their hosts do not learn who reads them. Only for members:
 * the cookie that a sign-in sets is sent by the service's own pages alone.
 */
export function imageProxy({ clock, pictures, secretBox, storage }: ImageProxyParts) {
  const tickets = new PictureTickets(secretBox);
  const running = new Map<string, number>();
  let total = 0;

  async function isMember(request: FastifyRequest): Promise<boolean> {
    if (isFromOtherSite(request)) return false;
    const userId = tickets.read(PICTURE_COOKIE.tokenIn(request.headers.cookie ?? ""), clock.now());
    return userId !== null && (await findMember(storage.db, userId)) !== null;
  }

  /** @returns what gives the place back; null when there is none. */
  function takePlace(caller: string): (() => void) | null {
    const own = running.get(caller) ?? 0;
    if (total >= MAX_AT_ONCE || own >= MAX_OF_CALLER) return null;
    total++;
    running.set(caller, own + 1);
    return () => {
      total--;
      const left = (running.get(caller) ?? 1) - 1;
      if (left === 0) running.delete(caller);
      else running.set(caller, left);
    };
  }

  return async (server: FastifyInstance) => {
    if (pictures === null) return;
    server.route<{ Querystring: { address?: unknown } }>({
      method: "GET",
      url: IMAGE_PROXY_PATH,
      schema: { hide: true },
      handler: async (request, reply) => {
        request.trace.code = "page";
        reply.headers({
          "cache-control": "no-store",
          "content-security-policy": "default-src 'none'; sandbox",
          "cross-origin-resource-policy": "same-origin",
          "x-content-type-options": "nosniff",
        });
        if (!(await isMember(request))) return reply.code(403).send();
        const { address } = request.query;
        if (typeof address !== "string") return reply.code(400).send();
        const giveBack = takePlace(addressBlock(request.clientAddress));
        if (giveBack === null) return reply.code(429).header("retry-after", 1).send();
        try {
          const { type, bytes } = await pictures.fetch(address);
          return reply.header("cache-control", SHOWN_FOR).header("content-type", type).send(bytes);
        } catch (error) {
          if (error instanceof PictureRefused) return reply.code(502).send();
          throw error;
        } finally {
          // The picture is fetched whether or not the caller still waits, and is in memory until the answer has ended.
          if (reply.raw.destroyed) giveBack();
          else reply.raw.once("close", giveBack);
        }
      },
    });
  };
}
