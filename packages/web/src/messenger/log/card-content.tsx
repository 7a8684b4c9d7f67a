import { type CardAction, CardView, cardLayout } from "@portico/card";
import type { ClientMessage } from "@portico/protocol/schemas";
import { useCallback } from "react";
import { usePreferences } from "../../shared/look/preferences.ts";
import { memberApi } from "../../shared/session/member.ts";
import { useImageProxy } from "../../shared/session/use-image-proxy.ts";
import { membersOf } from "../../shared/text/file-content.ts";
import { useMessenger } from "../live/use-messenger.ts";
import styles from "./card-content.module.css";

/** A card in a message; what is pressed or chosen in it goes to its bot. */
export function CardContent({ message }: { message: ClientMessage }) {
  const { locale, theme } = usePreferences();
  const { messageId, content } = message;
  const act = useCallback(
    async (action: CardAction) => {
      await memberApi.actOnCard({ params: { messageId: String(messageId) }, body: action });
    },
    [messageId],
  );
  const imageProxy = useImageProxy();
  const { cardMemories } = useMessenger();
  const { card } = membersOf(content);
  return (
    <div className={cardLayout(card).unbubbled ? styles.wholeRow : undefined}>
      <CardView
        card={card}
        messageId={messageId}
        locale={locale}
        theme={theme}
        onAction={act}
        imageProxy={imageProxy}
        memory={cardMemories.of(messageId)}
      />
    </div>
  );
}
