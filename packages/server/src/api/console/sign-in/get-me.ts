import { MeSchema } from "@portico/protocol/schemas";
import { findDeveloper } from "../../../domain/directory/developer-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET me: who is signed in, and the tenants they work for. */
export const readMe: ConsoleRoute<never, never, typeof MeSchema> = {
  method: "GET",
  url: "/me",
  summary: "Who is signed in",
  access: "developer",
  value: MeSchema,
  async handle(ctx, { developer }) {
    const found = await findDeveloper(ctx.storage.db, developer.developerId);
    if (found === null) throw new Error("the developer who is signed in is not there");
    const { developerId, phone, channelId, name, operator, tenants } = found;
    return { developerId, phone, channelId, name, operator, tenants };
  },
};
