import { type CardAction, CardView } from "@portico/card";
import { useCallback, useMemo, useState } from "react";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useImageProxy } from "../../shared/session/use-image-proxy.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import styles from "./components-page.module.css";
import type { Sample } from "./samples.ts";

/** A component as members see it, beside its JSON; and what its bot would be told when it is used here. */
export function SampleView({ sample }: { sample: Sample }) {
  const say = useWords(DOCS);
  const { locale, theme } = usePreferences();
  const imageProxy = useImageProxy();
  const [told, setTold] = useState<CardAction | null>(null);
  const card = useMemo(() => ({ schema: "2.0", body: { elements: [sample] } }), [sample]);
  const act = useCallback(async (action: CardAction) => setTold(action), []);
  return (
    <section className={styles.sample} aria-labelledby={sample.tag}>
      <h3 id={sample.tag}>
        <code>{sample.tag}</code>
      </h3>
      <div className={styles.columns}>
        <div className={styles.card}>
          <CardView card={card} messageId="" locale={locale} theme={theme} onAction={act} imageProxy={imageProxy} />
        </div>
        <CodeBlock title="JSON" text={JSON.stringify(sample, null, 2)} />
      </div>
      <div role="status">{told !== null && <CodeBlock title={say("botIsTold")} text={JSON.stringify(told)} />}</div>
    </section>
  );
}
