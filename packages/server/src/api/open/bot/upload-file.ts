import { UploadedFileSchema } from "@portico/protocol/schemas";
import { recordUpload, storeUpload, type Upload } from "../../../domain/files/keep-upload.ts";
import type { OpenRoute } from "../gate/open-route.ts";

/** POST /api/open/v2/bot/files (docs/contract/messages.md#files). */
export const uploadFile: OpenRoute<never, never, typeof UploadedFileSchema> = {
  method: "POST",
  url: "/api/open/v2/bot/files",
  summary: "Upload a file to send",
  scope: "bot.message.send",
  upload: true,
  value: UploadedFileSchema,
  handle: (ctx, tx, { app, upload, now }) =>
    recordUpload(ctx, tx, { type: "APP", id: app.appId }, received(upload), now),
  finish: (ctx, { upload }, { fileKey }) => storeUpload(ctx, fileKey, received(upload)),
};

function received(upload: Upload | null): Upload {
  if (upload === null) throw new Error("the route takes files, and the gate gave it none");
  return upload;
}
