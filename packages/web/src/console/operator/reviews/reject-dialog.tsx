import { Form, Input } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { useAtMost } from "../../ui/use-at-most.ts";
import { useOperatorChange } from "../operator-queries.ts";
import type { ListedReview } from "./listed-review.ts";
import { REVIEWS } from "./words.ts";

const MAX_LENGTH = 2_000;

interface Fields {
  comment: string;
}

/** Asks why a review is refused; the owner reads it. */
export function RejectDialog({
  review: { app, revision },
  onRejected,
  onDone,
}: {
  review: Pick<ListedReview, "app" | "revision">;
  onRejected: () => void;
  onDone: () => void;
}) {
  const { appId, displayName } = app;
  // What was seen when the dialog was opened: what has changed since is looked at first.
  const [seen] = useState(revision);
  const say = useWords(REVIEWS);
  const atMost = useAtMost();
  const toast = useToast();
  const reject = useOperatorChange(({ comment }: Fields) =>
    operatorApi.rejectReview({ params: { appId }, body: { comment: comment.trim(), revision: seen } }),
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
            onRejected();
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
        rules={[{ required: true, whitespace: true, message: say("needComment") }, atMost(MAX_LENGTH)]}
      >
        <Input.TextArea autoFocus autoSize={{ minRows: 3, maxRows: 8 }} />
      </Form.Item>
    </FormDialog>
  );
}
