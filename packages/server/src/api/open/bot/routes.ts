import { openApi } from "../gate/open-api.ts";
import type { OpenContext } from "../parts.ts";
import { listApps } from "./list-apps.ts";
import { listInstallations } from "./list-installations.ts";
import { recallCard } from "./recall-card.ts";
import { replyMessage } from "./reply-message.ts";
import { sendMessage } from "./send-message.ts";
import { updateCard } from "./update-card.ts";
import { uploadFile } from "./upload-file.ts";

/** The bot part of the open API (docs/contract/messages.md). */
export function botRoutes(ctx: OpenContext) {
  return openApi(ctx, (add) => {
    add(sendMessage);
    add(replyMessage);
    add(updateCard);
    add(recallCard);
    add(uploadFile);
    add(listInstallations);
    add(listApps);
  });
}
