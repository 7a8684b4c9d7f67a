import type { Static } from "typebox";
import * as Type from "typebox";
import { REHEARSAL, REHEARSED_FAULTS } from "../rehearsals.ts";
import { nullable, time } from "./parts.ts";

const upTo = ({ most, default: usual }: { most: number; default: number }, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: usual, description }));

/** The body of PUT apps/{appId}/rehearsal. */
export const ArmRehearsalBodySchema = Type.Object({
  fault: Type.Enum([...REHEARSED_FAULTS]),
  times: upTo(REHEARSAL.times, "The calls or deliveries that fail"),
  minutes: upTo(REHEARSAL.minutes, "It ends after this time, whether or not they have come"),
  delayMs: upTo(REHEARSAL.delayMs, "How late a call is answered; for CALL_SLOW"),
});
export type ArmRehearsalBody = Static<typeof ArmRehearsalBodySchema>;

const RehearsalSchema = Type.Object({
  fault: Type.Enum([...REHEARSED_FAULTS]),
  left: Type.Integer({ minimum: 1, description: "The calls or deliveries that are still to fail" }),
  endsAt: time(),
  delayMs: Type.Integer({ minimum: 0 }),
});
export type Rehearsal = Static<typeof RehearsalSchema>;

/** The value of GET and PUT apps/{appId}/rehearsal. */
export const RehearsalStateSchema = Type.Object({
  allowed: Type.Boolean({ description: "Whether faults can be rehearsed: in the test environment only" }),
  rehearsal: nullable(RehearsalSchema),
});
export type RehearsalState = Static<typeof RehearsalStateSchema>;
