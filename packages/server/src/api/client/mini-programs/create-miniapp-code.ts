import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { CodeParts } from "../../../domain/mini-programs/codes.ts";
import { issueCode } from "../../../domain/mini-programs/codes.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/miniapp/code. */
export const createMiniappCode: ClientRoute<typeof CLIENT_ENDPOINTS.createMiniappCode, CodeParts> = {
  endpoint: CLIENT_ENDPOINTS.createMiniappCode,
  async handle(ctx, { member, body }) {
    return await issueCode(ctx, member, body.appId);
  },
};
