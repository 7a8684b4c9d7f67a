import { Notice } from "../../shared/ui/notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { OVERVIEW } from "./words.ts";

/** Says that an operator disabled the application, and why. */
export function DisabledNotice({ reason }: { reason: string | null }) {
  const say = useWords(OVERVIEW);
  return (
    <section aria-label={say("disabled")}>
      <Notice tone="error" title={say("disabled")}>
        {reason !== null && (
          <p>
            {say("disabledReason")} <strong style={{ whiteSpace: "pre-line" }}>{reason}</strong>
          </p>
        )}
        <p>{say("disabledHint")}</p>
      </Notice>
    </section>
  );
}
