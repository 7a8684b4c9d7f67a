import { DESK_BOUNDS, fault } from "@portico/protocol";
import type { ConsoleEndpoint } from "@portico/protocol/endpoints";
import type { ReplyEditing, ReplyRefusal } from "../../../domain/customer-service/canned-replies.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleCall } from "../../common/console/console-route.ts";
import type { RouteParts } from "../../common/parts.ts";

/** The developer's change of an application's canned replies. */
export function editingBy(
  { clock }: RouteParts,
  { app, developer, audit }: Pick<ConsoleCall<ConsoleEndpoint>, "app" | "developer" | "audit">,
): ReplyEditing {
  const { appId, tenantId } = app;
  const saver = { memberId: null, developerId: developer.developerId };
  return { appId, tenantId, saver, now: clock.now(), audit };
}

/** @throws ConsoleError when the change was refused. */
export function accepted<Reply>(result: Reply | ReplyRefusal): Reply {
  if (result === "unknown") throw new ConsoleError("APP_CANNED_REPLY_NOT_FOUND");
  if (result === "taken") throw new ConsoleError("APP_SHORTCUT_TAKEN");
  if (result === "too many") {
    throw new ConsoleError(fault("APP_CANNED_REPLIES_TOO_MANY", { max: DESK_BOUNDS.cannedReplies }));
  }
  if (result === "too long") {
    throw new ConsoleError(fault("APP_CANNED_REPLIES_TOO_LONG", { max: DESK_BOUNDS.cannedRepliesKib }));
  }
  return result;
}
