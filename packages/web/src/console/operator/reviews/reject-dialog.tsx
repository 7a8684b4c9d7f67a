import { Form, Input } from "antd";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { REVIEWS } from "./words.ts";

const MAX_LENGTH = 2_000;

interface Fields {
  comment: string;
}

/** Asks why a review is refused; the owner reads it. */
export function RejectDialog({
  app: { appId, displayName },
  onDone,
}: {
  app: { appId: string; displayName: string };
  onDone: () => void;
}) {
  const say = useWords(REVIEWS);
  const toast = useToast();
  const reject = useOperatorChange(({ comment }: Fields) =>
    operatorApi.rejectReview({ params: { appId }, body: { comment: comment.trim() } }),
  );
  return (
    <FormDialog<Fields>
      title={say("rejectTitle", { name: displayName })}
      action={say("reject")}
      isDangerous
      isPending={reject.isPending}
      error={reject.error}
      onSubmit={(fields) =>
        reject.mutate(fields, {
          onSuccess: () => {
            toast(say("wasRejected", { name: displayName }));
            onDone();
          },
        })
      }
      onCancel={onDone}
    >
      <Form.Item
        name="comment"
        label={say("comment")}
        extra={say("commentHint")}
        rules={[{ required: true, whitespace: true, message: say("needComment") }]}
      >
        <Input.TextArea autoFocus autoSize={{ minRows: 3, maxRows: 8 }} maxLength={MAX_LENGTH} />
      </Form.Item>
    </FormDialog>
  );
}
