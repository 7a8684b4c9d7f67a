import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode } from "../../errors/index.ts";
import type { Endpoint } from "../endpoint.ts";

/** Who may make a call of the widget's API: a visitor, by their visitorToken, or a page on an allowed site, without. */
export type WidgetAccess = "visitor" | "site";

/** A call of the widget's API. */
export type WidgetEndpoint<Access extends WidgetAccess = WidgetAccess> = Endpoint<
  string,
  TObject | undefined,
  TSchema | undefined,
  TSchema,
  Access,
  ApiErrorCode
>;
