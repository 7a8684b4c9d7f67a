import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { listOrigins } from "../../domain/applications/origin-store.ts";
import { sendContainerNotFound } from "../../platform/http/answer.ts";
import { sendStaticFile } from "../common/send-static-file.ts";
import { type BuiltPages, WIDGET_FRAME, WIDGET_LOADER } from "./built-pages.ts";
import { sendNotBuilt } from "./not-built.ts";
import { frameHeaders } from "./page-headers.ts";
import type { PagesParts } from "./parts.ts";

/** Sites load it on each of their pages; a new version is there within minutes. */
const FOR_MINUTES = "public, max-age=300, stale-while-revalidate=86400";
/** Browsers keep the policy of a page that they revalidate, so a site that is no longer allowed could still frame it. */
const NEVER = "no-store";

/** The longest appId that is looked for. */
const MAX_APP_ID_LENGTH = 128;

/**
 * `GET /widget.js`, which sites include, and `GET /widget/?app=`, the frame that it opens: a page that only the sites which
 * the application allows may frame.
 */
export function widgetFiles(ctx: PagesParts, pages: BuiltPages | null) {
  return async (server: FastifyInstance) => {
    const method = ["GET", "HEAD"];
    server.route({
      method,
      url: "/widget.js",
      handler: (request, reply) => {
        const file = pages?.files.get(WIDGET_LOADER);
        if (file === undefined) return sendContainerNotFound(request, reply, ctx.clock.now());
        reply.headers({ "cross-origin-resource-policy": "cross-origin", "x-content-type-options": "nosniff" });
        return sendStaticFile(request, reply, file, FOR_MINUTES);
      },
    });
    server.route<{ Querystring: { app?: unknown } }>({
      method,
      url: "/widget/",
      handler: async (request, reply) => {
        const allowed = await sitesOf(ctx, request.query.app);
        // Where not all of them fit into the header, the one that asks does; browsers tell of it.
        const asking = URL.parse(request.headers.referer ?? "")?.origin;
        const sites = [...allowed].sort((a, b) => Number(b === asking) - Number(a === asking));
        reply.headers(frameHeaders({ baseUrl: ctx.config.baseUrl ?? "" }, sites));
        return sendFrame(request, reply, pages);
      },
    });
  };
}

function sendFrame(request: FastifyRequest, reply: FastifyReply, pages: BuiltPages | null): FastifyReply {
  const file = pages?.files.get(WIDGET_FRAME);
  return file === undefined ? sendNotBuilt(request, reply) : sendStaticFile(request, reply, file, NEVER);
}

/** The sites that may frame the widget of an application; none for one that there is not. */
async function sitesOf({ storage }: PagesParts, appId: unknown): Promise<string[]> {
  if (typeof appId !== "string" || appId === "" || appId.length > MAX_APP_ID_LENGTH) return [];
  return await listOrigins(storage.db, appId);
}
