import type { Static } from "typebox";
import * as Type from "typebox";
import { LatencySchema } from "./console-requests.ts";
import { nullable, time } from "./parts.ts";

/** A store that the service depends on. */
const reached = {
  ok: Type.Boolean(),
  pingMs: nullable(Type.Integer({ description: "How long it took to answer; null when it did not" })),
};

/** A route's calls of the last minutes. */
export const RouteFiguresSchema = Type.Object({
  method: Type.String(),
  route: Type.String({ description: "As the description of the API has it; empty for calls of no route" }),
  calls: Type.Integer(),
  failed: Type.Integer({ description: "Answered with a status of 500 or above" }),
  p50: Type.Integer({ description: "Milliseconds within which half of the calls were answered" }),
  p95: Type.Integer(),
});
export type RouteFigures = Static<typeof RouteFiguresSchema>;

/** What a process has answered in the last minutes. */
export const CallFiguresSchema = Type.Object({
  calls: Type.Integer(),
  refused: Type.Integer({ description: "Answered with a status from 400 to 499" }),
  failed: Type.Integer({ description: "Answered with a status of 500 or above" }),
  latency: nullable(LatencySchema),
  slowest: Type.Array(RouteFiguresSchema, {
    description: "The routes with the highest p95, slowest first; 10 at most",
  }),
});
export type RecentFigures = Static<typeof CallFiguresSchema>;

/** A process of the service. */
export const ProcessSchema = Type.Object({
  processId: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  version: Type.String(),
  startedAt: time(),
  seenAt: time("When it last told of itself; it does so every few seconds"),
  isThis: Type.Boolean({ description: "Whether it gave this answer" }),
  memoryBytes: Type.Integer(),
  figures: CallFiguresSchema,
});
export type ProcessHealth = Static<typeof ProcessSchema>;

/** A circuit that is not NORMAL, of an application that has something to be delivered. */
const circuit = Type.Object({
  appId: Type.String(),
  displayName: Type.String(),
  state: Type.Enum(["OPEN", "PROBING"]),
  openUntil: nullable(time()),
});

/** Answer of `GET operator/health`. */
export const HealthSchema = Type.Object({
  at: time(),
  mode: Type.Enum(["EMBEDDED", "DISTRIBUTED"]),
  minutes: Type.Integer({ description: "So many minutes the figures of calls go back" }),
  processes: nullable(
    Type.Array(ProcessSchema, {
      description: "This one first, without those not heard of for long; null while the database does not tell",
    }),
  ),
  database: Type.Object({ engine: Type.Enum(["SQLITE", "POSTGRESQL"]), ...reached }),
  redis: nullable(Type.Object(reached, { description: "null in embedded mode" })),
  disk: Type.Object({
    freeBytes: Type.Integer(),
    totalBytes: Type.Integer(),
    takesUploads: Type.Boolean(),
    takesMessages: Type.Boolean(),
  }),
  deliveries: nullable(
    Type.Object(
      {
        waiting: Type.Integer({ description: "To be made, retries included; counted up to `countedTo`" }),
        countedTo: Type.Integer(),
        oldestDueAt: nullable(time("Since when the oldest is due that no open circuit holds back; null when none is")),
        circuits: nullable(
          Type.Array(circuit, {
            description:
              "50 at most, of the 1,000 applications whose deliveries are due longest; null when they cannot be asked for",
          }),
        ),
      },
      { description: "null while the database does not tell" },
    ),
  ),
});
export type Health = Static<typeof HealthSchema>;
