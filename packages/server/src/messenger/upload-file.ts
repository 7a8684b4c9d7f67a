import { ApiError } from "@portico/protocol";
import { UploadedFileSchema } from "@portico/protocol/schemas";
import { hasTooManyUnsent } from "../files/file-store.ts";
import { recordUpload, storeUpload } from "../files/keep-upload.ts";
import type { ClientRoute } from "./client-route.ts";

/** POST /api/client/v1/files: a member uploads a file to send (design, section 10). */
export const uploadFile: ClientRoute<never, never, typeof UploadedFileSchema> = {
  method: "POST",
  url: "/api/client/v1/files",
  summary: "Upload a file to send",
  upload: true,
  value: UploadedFileSchema,
  async handle(ctx, { member, upload }) {
    if (upload === null) throw new Error("the route takes files, and was given none");
    const owner = { type: "MEMBER", id: member.userId } as const;
    const now = ctx.clock.now();
    const uploaded = await ctx.storage.write(async (tx) => {
      if (await hasTooManyUnsent(tx, owner, now)) {
        const retryAfterSeconds = Math.ceil(ctx.config.limits.fileKeyTtlMs / 1_000);
        throw new ApiError("QUOTA_EXCEEDED", "未发送的文件过多,请稍后重试", { retryAfterSeconds });
      }
      return recordUpload(ctx, tx, owner, upload, now);
    });
    await storeUpload(ctx, uploaded.fileKey, upload);
    return uploaded;
  },
};
