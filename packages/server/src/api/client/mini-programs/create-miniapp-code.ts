import { MiniappCodeBodySchema, MiniappCodeSchema } from "@portico/protocol/schemas";
import { issueCode } from "../../../domain/mini-programs/codes.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/miniapp/code. */
export const createMiniappCode: ClientRoute<typeof MiniappCodeBodySchema, never, typeof MiniappCodeSchema> = {
  method: "POST",
  url: "/api/client/v1/miniapp/code",
  summary: "Make a login code for a mini-program that the member opens",
  body: MiniappCodeBodySchema,
  value: MiniappCodeSchema,
  async handle(ctx, { member, body }) {
    return await issueCode(ctx, member, body.appId);
  },
};
