import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { UploadParts } from "../../../domain/files/keep-upload.ts";
import { recordUpload, storeUpload, type Upload } from "../../../domain/files/keep-upload.ts";
import type { OpenRoute } from "../gate/open-route.ts";

/** POST /api/open/v2/bot/files (docs/contract/messages.md#files). */
export const uploadFile: OpenRoute<typeof OPEN_ENDPOINTS.uploadFile, UploadParts> = {
  endpoint: OPEN_ENDPOINTS.uploadFile,
  handle: (ctx, tx, { app, upload, now }) =>
    recordUpload(ctx, tx, { type: "APP", id: app.appId }, received(upload), now),
  finish: (ctx, { upload }, { fileKey }) => storeUpload(ctx, fileKey, received(upload)),
};

function received(upload: Upload | null): Upload {
  if (upload === null) throw new Error("the route takes files, and the gate gave it none");
  return upload;
}
