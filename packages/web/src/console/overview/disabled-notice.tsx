import { Alert } from "antd";
import { useWords } from "../../shared/words/words.ts";
import { useDisableReason } from "./overview-queries.ts";
import { OVERVIEW } from "./words.ts";

/** Says that an operator disabled the application, and why. */
export function DisabledNotice({ appId }: { appId: string }) {
  const say = useWords(OVERVIEW);
  const { data: reason = null } = useDisableReason(appId);
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
