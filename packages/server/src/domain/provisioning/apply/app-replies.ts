import {
  createReply,
  type ReplyEditing,
  type ReplyRefusal,
  updateReply,
} from "../../customer-service/canned-replies.ts";
import { findReplyByShortcut, type ReplyContent, shortcutKey } from "../../customer-service/canned-reply-store.ts";
import { isBlank } from "../../customer-service/message-content.ts";
import { memberItem } from "../applied-state.ts";
import { checkOnce } from "../entities.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppPlace } from "./app-place.ts";

/** Why a reply of a file cannot be stored, in the words of an error message. */
const REFUSALS: Readonly<Record<ReplyRefusal, string>> = {
  unknown: "has just been deleted",
  taken: "has the shortcut of another one",
  "too many": "is one too many for the application",
  "too long": "is too long for what the application may have of text",
};

/** Applies the canned replies of an application; those that are not in the file stay. */
export async function provisionReplies(place: AppPlace): Promise<void> {
  const replies = place.app.cannedReplies ?? [];
  const pathOf = (index: number) => `${place.path}.cannedReplies[${index}]`;
  checkOnce(replies.map(({ shortcut }, index) => [`${pathOf(index)}.shortcut`, shortcutKey(shortcut)]));
  for (const [index, reply] of replies.entries()) await provisionReply(place, reply, pathOf(index));
}

async function provisionReply(place: AppPlace, reply: ReplyContent, path: string): Promise<void> {
  const { run, applied, appId } = place;
  const item = memberItem("cannedReplies", shortcutKey(reply.shortcut));
  if (isBlank(reply.text)) throw new ProvisioningError(`${path}.text`, "must not be blank");
  if (!applied.hasChanges({ [item]: reply.text })) {
    run.report.unchanged++;
    return;
  }
  if ((await place.lock()).type !== "CUSTOMER_SERVICE") {
    throw new ProvisioningError(path, "is only for apps of type CUSTOMER_SERVICE");
  }
  const current = await findReplyByShortcut(run.tx, appId, reply.shortcut);
  const hasChanged = applied.hasChanged(item, reply.text);
  applied.note(item, reply.text);
  if (current?.text === reply.text || !hasChanged) {
    if (hasChanged || !applied.isInherited) run.report.unchanged++;
    else run.report.skipInherited(applied.entity, item);
    return;
  }
  const editing = await editingOf(place);
  const stored =
    current === null
      ? await createReply(run.tx, editing, reply)
      : await updateReply(run.tx, editing, current.replyId, { text: reply.text });
  if (typeof stored === "string") throw new ProvisioningError(path, REFUSALS[stored]);
  const before = current === null ? {} : { before: current.text };
  run.report.change({ entity: applied.entity, item, ...before, after: reply.text });
}

/** The owner is named as who has saved it. */
async function editingOf(place: AppPlace): Promise<ReplyEditing> {
  const { run, appId, tenantId } = place;
  const { ownerId } = await place.lock();
  return {
    appId,
    tenantId,
    saver: { memberId: null, developerId: ownerId },
    now: run.now,
    audit: async (_tx, change) => await run.audit({ ...change, appId, tenantId }),
  };
}
