import type { Static } from "typebox";
import * as Type from "typebox";
import { nullable } from "./parts.ts";

/** An account of the demo world, with its password. */
const DemoMemberSchema = Type.Object({
  tenantId: Type.String(),
  username: Type.String(),
  name: Type.String(),
  password: Type.String(),
});
const DemoDeveloperSchema = Type.Object({
  phone: Type.String(),
  channelId: Type.Integer(),
  name: Type.String(),
  operator: Type.Boolean(),
  password: Type.String(),
});

/** What runs here, for the start page. */
export const StartInfoSchema = Type.Object({
  environment: Type.Enum(["test", "production"]),
  version: Type.String(),
  baseUrl: Type.String(),
  consoleUrl: Type.String(),
  imageProxy: Type.Boolean({ description: "Whether the service fetches the pictures that the pages show" }),
  demo: nullable(
    Type.Object(
      { members: Type.Array(DemoMemberSchema), developers: Type.Array(DemoDeveloperSchema) },
      { description: "Who can sign in to the demo world; null in production and where there is none" },
    ),
  ),
});
export type StartInfo = Static<typeof StartInfoSchema>;
