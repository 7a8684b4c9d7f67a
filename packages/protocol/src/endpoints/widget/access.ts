import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode } from "../../errors/index.ts";
import type { Endpoint } from "../endpoint.ts";

/** A call of the widget's API, with a visitorToken. */
export type WidgetEndpoint = Endpoint<
  string,
  TObject | undefined,
  TSchema | undefined,
  TSchema,
  "visitor",
  ApiErrorCode
>;
