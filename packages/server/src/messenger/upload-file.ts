import { ApiError, type Member } from "@portico/protocol";
import { UploadedFileSchema } from "@portico/protocol/schemas";
import type { Context } from "../context.ts";
import { type FileOwner, hasTooManyUnsent, lockUnsent } from "../files/file-store.ts";
import { recordUpload, storeUpload } from "../files/keep-upload.ts";
import type { Db } from "../storage/schema.ts";
import type { ClientRoute } from "./client-route.ts";

/** POST /api/client/v1/files: a member uploads a file to send (design, section 10). */
export const uploadFile: ClientRoute<never, never, typeof UploadedFileSchema> = {
  method: "POST",
  url: "/api/client/v1/files",
  summary: "Upload a file to send",
  upload: true,
  value: UploadedFileSchema,
  admit: (ctx, member) => checkUnsent(ctx, ctx.storage.db, ownerOf(member), ctx.clock.now()),
  async handle(ctx, { member, upload }) {
    if (upload === null) throw new Error("the route takes files, and was given none");
    const owner = ownerOf(member);
    const now = ctx.clock.now();
    const uploaded = await ctx.storage.write(async (tx) => {
      if (ctx.storage.dialect === "postgres") await lockUnsent(tx, owner);
      await checkUnsent(ctx, tx, owner, now);
      return recordUpload(ctx, tx, owner, upload, now);
    }, `files:${member.userId}`);
    await storeUpload(ctx, uploaded.fileKey, upload);
    return uploaded;
  },
};

async function checkUnsent(ctx: Context, db: Db, owner: FileOwner, now: number): Promise<void> {
  if (!(await hasTooManyUnsent(db, owner, now))) return;
  const retryAfterSeconds = Math.ceil(ctx.config.limits.fileKeyTtlMs / 1_000);
  throw new ApiError("QUOTA_EXCEEDED", "未发送的文件过多,请稍后重试", { retryAfterSeconds });
}

function ownerOf({ userId }: Member): FileOwner {
  return { type: "MEMBER", id: userId };
}
