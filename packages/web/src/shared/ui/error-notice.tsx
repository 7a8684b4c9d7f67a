import { Alert, Button } from "antd";
import { usePreferences } from "../look/preferences.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { explainError } from "./explain-error.ts";

/** Says that something failed (`role=alert`): what happened, what to do, and the number that names it in the service's log. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const say = useWords(SHARED);
  const { locale } = usePreferences();
  const { what, todo, reference } = explainError(error, say, locale);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={what}
      description={
        (todo ?? reference) && (
          <>
            {todo && <div>{todo}</div>}
            {reference && (
              <div>
                {say("requestNumber")} <code>{reference}</code>
              </div>
            )}
          </>
        )
      }
      action={
        onRetry && (
          <Button size="small" onClick={onRetry}>
            {say("retry")}
          </Button>
        )
      }
    />
  );
}
