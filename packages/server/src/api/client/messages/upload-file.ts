import type { Member } from "@portico/protocol";
import { UploadedFileSchema } from "@portico/protocol/schemas";
import { checkUnsent, keepCountedUpload } from "../../../domain/files/counted-upload.ts";
import type { FileOwner } from "../../../domain/files/file-store.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/files: a member uploads a file to send. */
export const uploadFile: ClientRoute<never, never, typeof UploadedFileSchema> = {
  method: "POST",
  url: "/api/client/v1/files",
  summary: "Upload a file to send",
  upload: true,
  value: UploadedFileSchema,
  admit: (ctx, member) => checkUnsent(ctx, ctx.storage.db, ownerOf(member), ctx.clock.now()),
  async handle(ctx, { member, upload }) {
    if (upload === null) throw new Error("the route takes files, and was given none");
    return await keepCountedUpload(ctx, ownerOf(member), upload);
  },
};

function ownerOf({ userId }: Member): FileOwner {
  return { type: "MEMBER", id: userId };
}
