import { type CardAction, CardView } from "@portico/card";
import type { PreviewLook } from "@portico/protocol/cards/preview-link";
import { useCallback, useState } from "react";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useStartInfo } from "../../shared/session/start-info.ts";
import { useImageProxy } from "../../shared/session/use-image-proxy.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { useWords } from "../../shared/words/words.ts";
import styles from "./preview-page.module.css";
import { PREVIEW } from "./words.ts";

/** A card on the ground it has in the messenger; below it what its bot would be told when it is used here. */
export function CardStage({ card, look }: { card: unknown; look: PreviewLook }) {
  const say = useWords(PREVIEW);
  const preferences = usePreferences();
  const { locale = preferences.locale, theme = preferences.theme } = look;
  const imageProxy = useImageProxy();
  // Until then it is not known where pictures come from, and `portico card preview` would photograph their places.
  const { isPending } = useStartInfo();
  const [told, setTold] = useState<CardAction | null>(null);
  const act = useCallback(async (action: CardAction) => setTold(action), []);
  return (
    <section className={styles.drawn} aria-label={say("card")}>
      {/* A card's own title is a heading below this one. */}
      <h2 className="visually-hidden">{say("card")}</h2>
      <div className={styles.stage} data-stage={theme}>
        <div className={styles.frame} data-preview={isPending ? undefined : "card"}>
          {!isPending && (
            <CardView card={card} messageId="" locale={locale} theme={theme} onAction={act} imageProxy={imageProxy} />
          )}
        </div>
      </div>
      <div role="status">{told !== null && <CodeBlock title={say("botIsTold")} text={JSON.stringify(told)} />}</div>
    </section>
  );
}
