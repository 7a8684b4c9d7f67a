import type { FastifyInstance } from "fastify";
import { createVisitor } from "./create-visitor.ts";
import { getApp } from "./get-app.ts";
import { getSession } from "./get-session.ts";
import { listMessages } from "./list-messages.ts";
import type { WidgetContext } from "./parts.ts";
import { postMessage } from "./post-message.ts";
import { rateSession } from "./rate-session.ts";
import { signOut } from "./sign-out.ts";
import { uploadFile } from "./upload-file.ts";
import { widgetApi } from "./widget-route.ts";

/** The API of visitors' widgets (docs/contract/customer-service.md#the-widget). */
export function widgetRoutes(ctx: WidgetContext) {
  return async (server: FastifyInstance) => {
    await server.register(
      widgetApi(ctx, (add, addForSites) => {
        addForSites(getApp());
        addForSites(createVisitor());
        add(getSession);
        add(listMessages);
        add(postMessage());
        add(rateSession);
        add(uploadFile);
        add(signOut);
      }),
    );
  };
}
