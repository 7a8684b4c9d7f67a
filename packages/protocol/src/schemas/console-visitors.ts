import * as Type from "typebox";
import { VisitorSchema } from "./customer.ts";
import { pageOf, pageQuery } from "./parts.ts";
import { plainText } from "./plain-text.ts";

const MAX_KEYWORD_LENGTH = 64;

const status = Type.Integer({ minimum: 0, maximum: 1, description: "0: disabled" });

/** Query of `GET apps/{appId}/visitors`. */
export const ConsoleVisitorsQuerySchema = Type.Object({
  keyword: Type.Optional(
    plainText({ maxLength: MAX_KEYWORD_LENGTH, description: "Part of an id, the nickname, the phone or the email" }),
  ),
  status: Type.Optional(status),
  ...pageQuery,
});

/** Answer of `GET apps/{appId}/visitors`, newest first. */
export const ConsoleVisitorListSchema = pageOf(VisitorSchema);

/** Body of `PATCH apps/{appId}/visitors/{visitorId}`. */
export const UpdateVisitorBodySchema = Type.Object({ status });
