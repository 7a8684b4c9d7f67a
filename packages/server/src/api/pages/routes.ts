import { START_ENDPOINTS } from "@portico/protocol/endpoints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendContainerNotFound } from "../../platform/http/answer.ts";
import { sendStaticFile } from "../common/send-static-file.ts";
import { type BuiltPages, PAGES, type PageName, readBuiltPages } from "./built-pages.ts";
import { sendNotBuilt } from "./not-built.ts";
import { pageHeaders } from "./page-headers.ts";
import type { PagesParts } from "./parts.ts";
import { startInfoOf } from "./start-info.ts";
import { widgetFiles } from "./widget-files.ts";

/** Where each page is. A `*` is whatever its own router finds there. */
const PLACES: readonly [path: string, page: PageName][] = [
  ["/", "start"],
  ["/console/*", "console"],
  ["/messenger/*", "messenger"],
  ["/qr/login", "messenger"],
  ["/desk/*", "desk"],
  ["/docs/*", "docs"],
];

/** For a file whose name changes with its content. */
const FOR_EVER = "public, max-age=31536000, immutable";
const ASK_EACH_TIME = "no-cache";

/** What no address of a page or a file of it holds: proxies and browsers disagree on what it means. */
const AMBIGUOUS = /^\*$|%2f|%5c|%00|\\|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The pages, which run in browsers and call the APIs: those that have been read, or the folder where `npm run build` has left
 * them.
 */
export function pageRoutes(ctx: PagesParts, from: URL | BuiltPages) {
  return async (server: FastifyInstance) => {
    const pages = from instanceof URL ? readPages(ctx, from) : from;
    const notFound = (request: FastifyRequest, reply: FastifyReply) =>
      sendContainerNotFound(request, reply, ctx.clock.now());

    for (const [url, page] of PLACES) {
      add(server, url, (request, reply) => {
        if (AMBIGUOUS.test(pathOf(request))) return notFound(request, reply);
        reply.headers(pageHeaders(page, { baseUrl: ctx.config.baseUrl ?? "", imageProxy: ctx.config.web.imageProxy }));
        const file = pages?.files.get(PAGES[page]);
        return file === undefined ? sendNotBuilt(request, reply) : sendStaticFile(request, reply, file, ASK_EACH_TIME);
      });
      const bare = url.replace(/\/\*$/, "");
      if (bare === url) continue;
      add(server, bare, (request, reply) => {
        request.trace.code = "page";
        return reply.redirect(`${bare}/`, 308);
      });
    }

    await server.register(widgetFiles(ctx, pages));

    const startInfo = startInfoOf(ctx.config);
    server.route({
      method: START_ENDPOINTS.getStart.method,
      url: START_ENDPOINTS.getStart.path,
      config: { isServedOn: () => true },
      handler: (request, reply) => {
        request.trace.code = "page";
        return reply.header("cache-control", "no-store").send(startInfo());
      },
    });

    const isServedOn = (request: FastifyRequest, isConsoleHost: boolean) => {
      if (pages === null) return true;
      const path = assetOf(request);
      return isConsoleHost ? pages.console.has(path) : pages.others.has(path) || !pages.console.has(path);
    };
    add(
      server,
      "/assets/*",
      (request, reply) => {
        const path = assetOf(request);
        const file = pages?.files.get(path);
        if (file === undefined) return notFound(request, reply);
        reply.headers({ "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" });
        return sendStaticFile(request, reply, file, pages?.hashed.has(path) ? FOR_EVER : ASK_EACH_TIME);
      },
      isServedOn,
    );
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

function add(
  server: FastifyInstance,
  url: string,
  handler: Handler,
  isServedOn?: (request: FastifyRequest, isConsoleHost: boolean) => boolean,
): void {
  const config = isServedOn ? { isServedOn } : {};
  server.route({ method: ["GET", "HEAD"], url, config, handler });
}

/** A service without pages still serves its APIs. */
function readPages({ log }: PagesParts, folder: URL): BuiltPages | null {
  try {
    const pages = readBuiltPages(folder);
    if (pages === null) log.warn("the pages have not been built: run npm run build, then start again");
    return pages;
  } catch (error) {
    log.error({ err: error }, "the pages cannot be read: run npm run build, then start again");
    return null;
  }
}

/** As it was asked for, without the query. */
function pathOf({ raw }: FastifyRequest): string {
  return (raw.url ?? "").split("?", 1)[0] ?? "";
}

/** The path of a file as the build names it; it is looked up as it stands, since no name holds what would be encoded. */
function assetOf(request: FastifyRequest): string {
  return pathOf(request).slice(1);
}
