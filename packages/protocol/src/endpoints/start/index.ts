import type { TObject, TSchema } from "typebox";
import { StartInfoSchema } from "../../schemas/start.ts";
import type { Endpoint } from "../endpoint.ts";

/** What the start page asks, of every host; the answer has no envelope. */
export const START_ENDPOINTS = {
  getStart: {
    method: "GET",
    path: "/start.json",
    summary: "Say what runs here, where it is, and in the demo world who can sign in",
    access: "public",
    value: StartInfoSchema,
    errors: [],
  },
} as const satisfies Record<
  string,
  Endpoint<string, TObject | undefined, TSchema | undefined, TSchema, "public", never>
>;
