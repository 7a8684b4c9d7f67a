import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { findDeveloperOfToken } from "../../domain/accounts/developer-login-store.ts";
import type { MemberTokens } from "../../domain/accounts/member-tokens.ts";
import { type Picture, type PictureFetcher, PictureRefused } from "../../domain/pictures/picture-fetcher.ts";
import { PictureTickets } from "../../domain/pictures/picture-tickets.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import { SharedRoom } from "../../platform/limits/shared-room.ts";
import { isFromOtherSite } from "../common/call-origin.ts";
import type { RouteParts } from "../common/parts.ts";
import { DEVELOPER_PICTURES, IMAGE_PROXY_PATH, MEMBER_PICTURES } from "../common/picture-cookie.ts";

/** What fetching pictures for the pages needs. */
export interface ImageProxyParts extends RouteParts {
  memberTokens: MemberTokens;
  secretBox: SecretBox;
  /** Null while there is no image proxy. */
  pictures: PictureFetcher | null;
}

/** Pictures on their way, from the question until the browser has them, and those that wait: a card may have many. */
const ROOM = { max: 24, maxPerCaller: 6, maxWaitingPerCaller: 200, maxWaitMs: 20_000 };
const SHOWN_FOR = "private, max-age=3600";

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/**
 * `GET /image-proxy?address=`, on every host: pictures of cards and posts, so that their hosts do not learn who reads them.
 * Only for members and developers: the cookie that a sign-in sets is sent by the service's own pages alone.
 */
export function imageProxy({ pictures, ...parts }: ImageProxyParts) {
  const tickets = new PictureTickets(parts.secretBox);
  const room = new SharedRoom(ROOM);
  return async (server: FastifyInstance) => {
    if (pictures === null) return;
    server.route<{ Querystring: { address?: unknown } }>({
      method: "GET",
      url: IMAGE_PROXY_PATH,
      config: { isServedOn: () => true },
      handler: async (request, reply) => {
        request.trace.code = "page";
        reply.headers(HEADERS);
        const reader = await readerOf(parts, tickets, request);
        if (reader === null) return reply.code(403).send();
        const { address } = request.query;
        if (typeof address !== "string") return reply.code(400).send();
        const release = await room.acquire(reader, 1, reply.raw);
        if (release === null) return reply.code(429).header("retry-after", 1).send();
        try {
          const picture = await fetchWhileAwaited(pictures, address, reply.raw, release);
          return reply.header("cache-control", SHOWN_FOR).header("content-type", picture.type).send(picture.bytes);
        } catch (error) {
          if (!(error instanceof PictureRefused)) throw error;
          request.trace.reason = `the picture is not shown: ${error.message}`;
          return reply.code(502).send();
        }
      },
    });
  };
}

/** Whoever is signed in on the page that asks; null when nobody is, or it is another site's. */
async function readerOf(
  { storage, clock, memberTokens }: Pick<ImageProxyParts, "storage" | "clock" | "memberTokens">,
  tickets: PictureTickets,
  request: FastifyRequest,
): Promise<string | null> {
  if (isFromOtherSite(request)) return null;
  const cookies = request.headers.cookie ?? "";
  const ofMember = tickets.read(MEMBER_PICTURES.tokenIn(cookies));
  const member = ofMember === null ? null : await memberTokens.memberOfHash(ofMember);
  if (member !== null) return `MEMBER ${member.userId}`;
  const ofDeveloper = tickets.read(DEVELOPER_PICTURES.tokenIn(cookies));
  const developer = ofDeveloper === null ? null : await findDeveloperOfToken(storage.db, ofDeveloper, clock.now());
  return developer === null ? null : `DEVELOPER ${developer.developerId}`;
}

/**
 * The picture for an answer, fetched for as long as its reader is there.
 *
 * @param release called when the picture is in memory no more.
 * @throws PictureRefused when there is none to show.
 */
async function fetchWhileAwaited(
  pictures: PictureFetcher,
  address: string,
  response: ServerResponse,
  release: () => void,
): Promise<Picture> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    return await pictures.fetch(address, gone.signal);
  } finally {
    if (response.closed) release();
    else response.once("close", release);
  }
}
