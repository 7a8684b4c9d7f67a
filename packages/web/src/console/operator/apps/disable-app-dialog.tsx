import { Form, Input } from "antd";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { useAtMost } from "../../ui/use-at-most.ts";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { ALL_APPS } from "./words.ts";

const MAX_LENGTH = 2_000;

interface Fields {
  reason: string;
}

/** Asks why an application is to be disabled; its owner reads it. */
export function DisableAppDialog({
  app: { appId, displayName },
  onDone,
}: {
  app: { appId: string; displayName: string };
  onDone: () => void;
}) {
  const say = useWords(ALL_APPS);
  const atMost = useAtMost();
  const sayOperator = useWords(OPERATOR);
  const toast = useToast();
  const disable = useOperatorChange(({ reason }: Fields) =>
    operatorApi.disableApp({ params: { appId }, body: { reason: reason.trim() } }),
  );
  return (
    <FormDialog<Fields>
      title={say("disableTitle", { name: displayName })}
      action={sayOperator("disable")}
      isDangerous
      lead={say("disableWhat")}
      isPending={disable.isPending}
      error={disable.error}
      onSubmit={(fields) =>
        disable.mutate(fields, {
          onSuccess: () => {
            toast(say("wasDisabled", { name: displayName }));
            onDone();
          },
        })
      }
      onCancel={onDone}
    >
      <Form.Item
        name="reason"
        label={say("reason")}
        extra={say("reasonHint")}
        rules={[{ required: true, whitespace: true, message: say("needReason") }, atMost(MAX_LENGTH)]}
      >
        <Input.TextArea autoFocus autoSize={{ minRows: 3, maxRows: 8 }} />
      </Form.Item>
    </FormDialog>
  );
}
