import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import type { VisitorRow } from "../../domain/customer-service/visitor-store.ts";
import type { CountedUploadParts } from "../../domain/files/counted-upload.ts";
import { checkUnsent, keepCountedUpload } from "../../domain/files/counted-upload.ts";
import type { FileOwner } from "../../domain/files/file-store.ts";
import type { WidgetRoute } from "./widget-route.ts";

/** POST /api/widget/v1/files: a visitor uploads a file to send. */
export const uploadFile: WidgetRoute<typeof WIDGET_ENDPOINTS.uploadFile, CountedUploadParts> = {
  endpoint: WIDGET_ENDPOINTS.uploadFile,
  admit: (ctx, visitor) => checkUnsent(ctx, ctx.storage.db, filesOf(visitor), ctx.clock.now()),
  async handle(ctx, { visitor, upload }) {
    if (upload === null) throw new Error("the route takes files, and was given none");
    return await keepCountedUpload(ctx, filesOf(visitor), upload);
  },
};

/** The owner of files that a visitor uploads and sends. */
export function filesOf({ visitorId }: VisitorRow): FileOwner {
  return { type: "VISITOR", id: visitorId };
}
