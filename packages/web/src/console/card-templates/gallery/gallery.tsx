import { CardView } from "@portico/card";
import { usePreferences } from "../../../shared/look/preferences.ts";
import { useImageProxy } from "../../../shared/session/use-image-proxy.ts";
import { useWords } from "../../../shared/words/words.ts";
import { TEMPLATES } from "../words.ts";
import { EXAMPLES, type Example, exampleIn } from "./examples.ts";
import styles from "./gallery.module.css";

/** Cards to begin with, each as it looks. */
export function Gallery({ onChoose }: { onChoose: (example: Example) => void }) {
  const say = useWords(TEMPLATES);
  return (
    <ul className={styles.gallery} aria-label={say("examples")}>
      {EXAMPLES.map((example) => (
        <li key={example.id} className={styles.example}>
          <Picture example={example} />
          <button
            type="button"
            className={styles.choose}
            aria-label={say("use", { name: say(example.id) })}
            onClick={() => onChoose(example)}
          >
            {say(example.id)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The card in small; only to be looked at. */
function Picture({ example }: { example: Example }) {
  const { locale, theme } = usePreferences();
  const imageProxy = useImageProxy();
  const card = exampleIn(locale, example);
  return (
    <div className={styles.picture} aria-hidden="true" inert>
      <div className={styles.small}>
        <CardView card={card} messageId="" locale={locale} theme={theme} imageProxy={imageProxy} />
      </div>
    </div>
  );
}
