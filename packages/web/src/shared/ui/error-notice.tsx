import { CloseCircleFilled } from "@ant-design/icons-svg";
import { usePreferences } from "../look/preferences.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import styles from "./error-notice.module.css";
import { explainError } from "./explain-error.ts";
import { Icon } from "./icon.tsx";

/** Says that something failed (`role=alert`): what happened, what to do, and the number that names it in the service's log. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const say = useWords(SHARED);
  const { locale } = usePreferences();
  const { what, todo, reference } = explainError(error, say, locale);
  return (
    <div role="alert" className={styles.notice}>
      <Icon of={CloseCircleFilled} className={styles.icon} />
      <div className={styles.words}>
        <p className={styles.what}>{what}</p>
        {todo && <p className={styles.todo}>{todo}</p>}
        {reference && (
          <p className={styles.todo}>
            {say("requestNumber")} <code>{reference}</code>
          </p>
        )}
      </div>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {say("retry")}
        </Button>
      )}
    </div>
  );
}
