import type { Static } from "typebox";
import * as Type from "typebox";
import { DeskAgentSchema } from "./desk.ts";
import { nullable, time } from "./parts.ts";

/** Query of `GET apps/{appId}/desk-stats`. */
export const DeskStatsQuerySchema = Type.Object({
  from: Type.Optional(time("7 days before the end when left out")),
  to: Type.Optional(time("Now when left out; not included")),
});

const seconds = nullable(
  Type.Object(
    { p50: Type.Integer(), p90: Type.Integer() },
    { description: "Seconds within which half and nine tenths were; up to 2% too low. Null without any" },
  ),
);

/** An agent's share; of the sessions that they had in the end. */
export const AgentFiguresSchema = Type.Object({
  ...DeskAgentSchema.properties,
  handled: Type.Integer({ description: "Sessions that were closed" }),
  firstReplySeconds: seconds,
  handlingSeconds: seconds,
  rating: Type.Object({ average: nullable(Type.Number()), count: Type.Integer() }),
});
export type AgentFigures = Static<typeof AgentFiguresSchema>;

/** Answer of `GET apps/{appId}/desk-stats`: how it is now, and what became of the sessions closed in the range. */
export const DeskStatsSchema = Type.Object({
  from: time(),
  to: time(),
  agents: Type.Array(AgentFiguresSchema, { description: "By account" }),
  queue: Type.Object({
    waiting: Type.Integer({ description: "Visitors who wait now" }),
    oldestWaitingSince: nullable(time()),
  }),
  opened: Type.Integer({ description: "Sessions that were opened in the range" }),
  closed: Type.Integer({ description: "Sessions that were closed in the range; of these are all further figures" }),
  waitingSeconds: seconds,
  firstReplySeconds: seconds,
  handlingSeconds: seconds,
  ratings: Type.Object(
    { 1: Type.Integer(), 2: Type.Integer(), 3: Type.Integer(), 4: Type.Integer(), 5: Type.Integer() },
    { description: "How many visitors gave each" },
  ),
});
export type DeskStats = Static<typeof DeskStatsSchema>;
