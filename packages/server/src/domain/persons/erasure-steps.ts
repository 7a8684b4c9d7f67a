import type { Db } from "../../platform/storage/schema.ts";
import { eraseMessages, shareOfMessages } from "./erase-messages.ts";
import {
  eraseAgentNames,
  eraseAudit,
  eraseCardActions,
  eraseClosers,
  eraseDeliveries,
  eraseMarks,
  eraseOpenIds,
  eraseRequests,
  eraseUnionIds,
  leaveDesks,
} from "./erase-traces.ts";
import type { ErasureRow } from "./erasure-store.ts";
import { STEP_NAMES, type Step, type StepName } from "./step.ts";

export const STEPS: Record<StepName, Step> = {
  desks: leaveDesks,
  marks: eraseMarks,
  "open-ids": eraseOpenIds,
  "union-ids": eraseUnionIds,
  messages: eraseMessages,
  "card-actions": eraseCardActions,
  "agent-names": eraseAgentNames,
  closers: eraseClosers,
  deliveries: eraseDeliveries,
  requests: eraseRequests,
  audit: eraseAudit,
};

/** The step after one; null after the last. */
export function stepAfter(step: StepName): StepName | null {
  return STEP_NAMES[STEP_NAMES.indexOf(step) + 1] ?? null;
}

/** How far an erasure is, in percent: most of it is to look through the messages. */
export async function progressOf(db: Db, { step, position }: ErasureRow): Promise<number> {
  const done = (STEP_NAMES as readonly string[]).indexOf(step);
  const messages = STEP_NAMES.indexOf("messages");
  if (done < messages) return 0;
  if (done === messages) return Math.floor(80 * (await shareOfMessages(db, position)));
  return Math.floor(80 + (20 * (done - messages)) / (STEP_NAMES.length - messages));
}
