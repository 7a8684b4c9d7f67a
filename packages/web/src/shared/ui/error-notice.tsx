import { usePreferences } from "../look/preferences.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import { explainError } from "./explain-error.ts";
import { Notice } from "./notice.tsx";

/** Says that something failed (`role=alert`): what happened, what to do, and what names it in the service's log. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const say = useWords(SHARED);
  const { locale } = usePreferences();
  const { what, todo, reference } = explainError(error, say, locale);
  const retry = onRetry && (
    <Button size="small" onClick={onRetry}>
      {say("retry")}
    </Button>
  );
  return (
    <Notice tone="error" role="alert" title={what} action={retry}>
      {todo && <p>{todo}</p>}
      {reference && (
        <p>
          {say(reference.kind)} <code>{reference.text}</code>
        </p>
      )}
    </Notice>
  );
}
