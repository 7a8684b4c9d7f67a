import type { Member } from "@portico/protocol";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { CountedUploadParts } from "../../../domain/files/counted-upload.ts";
import { checkUnsent, keepCountedUpload } from "../../../domain/files/counted-upload.ts";
import type { FileOwner } from "../../../domain/files/file-store.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/files: a member uploads a file to send. */
export const uploadFile: ClientRoute<typeof CLIENT_ENDPOINTS.uploadFile, CountedUploadParts> = {
  endpoint: CLIENT_ENDPOINTS.uploadFile,
  admit: (ctx, member) => checkUnsent(ctx, ctx.storage.db, ownerOf(member), ctx.clock.now()),
  async handle(ctx, { member, upload }) {
    if (upload === null) throw new Error("the route takes files, and was given none");
    return await keepCountedUpload(ctx, ownerOf(member), upload);
  },
};

function ownerOf({ userId }: Member): FileOwner {
  return { type: "MEMBER", id: userId };
}
