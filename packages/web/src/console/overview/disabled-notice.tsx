import { Alert } from "antd";
import { useWords } from "../../shared/words/words.ts";
import { OVERVIEW } from "./words.ts";

/** Says that an operator disabled the application, and why. */
export function DisabledNotice({ reason }: { reason: string | null }) {
  const say = useWords(OVERVIEW);
  return (
    <Alert
      type="error"
      showIcon
      role="region"
      aria-label={say("disabled")}
      title={say("disabled")}
      description={
        <>
          {reason !== null && (
            <p>
              {say("disabledReason")} <strong style={{ whiteSpace: "pre-line" }}>{reason}</strong>
            </p>
          )}
          <p>{say("disabledHint")}</p>
        </>
      }
    />
  );
}
