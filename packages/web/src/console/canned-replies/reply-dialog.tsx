import { DESK_BOUNDS, SHORTCUT_PATTERN } from "@portico/protocol";
import { Button, Form, Input } from "antd";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { whilePending } from "../ui/action-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import { useAtMost } from "../ui/use-at-most.ts";
import type { CannedReply } from "./reply-queries.ts";
import { CANNED_REPLIES } from "./words.ts";

/** What the desk fills in. */
const PLACEHOLDERS = "{{visitor.nickname}}, {{agent.name}}, {{app.name}}";

type Content = Pick<CannedReply, "shortcut" | "text">;

/** Writes a new reply, or changes one. */
export function ReplyDialog({ reply, onDone }: { reply: CannedReply | null; onDone: () => void }) {
  const say = useWords(CANNED_REPLIES);
  const atMost = useAtMost();
  const sayShared = useWords(SHARED);
  const { appId } = useApp().app;
  const [form] = Form.useForm<Content>();
  const save = useAppChange(appId, (body: Content) =>
    reply === null
      ? consoleApi.createCannedReply({ params: { appId }, body })
      : consoleApi.updateCannedReply({ params: { appId, replyId: reply.replyId }, body }),
  );
  return (
    <Modal
      title={reply === null ? say("newReply") : say("editTitle", { shortcut: reply.shortcut })}
      width={560}
      {...whilePending(save.isPending)}
      onCancel={onDone}
      footer={
        <>
          <Button disabled={save.isPending} onClick={onDone}>
            {sayShared("cancel")}
          </Button>
          <Button type="primary" loading={save.isPending} onClick={() => form.submit()}>
            {sayShared("save")}
          </Button>
        </>
      }
    >
      <Form<Content>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ shortcut: reply?.shortcut ?? "", text: reply?.text ?? "" }}
        onFinish={(content) => {
          if (!save.isPending) save.mutate(content, { onSuccess: onDone });
        }}
      >
        <Form.Item
          name="shortcut"
          label={say("shortcut")}
          extra={say("shortcutHint")}
          rules={[{ required: true, pattern: new RegExp(SHORTCUT_PATTERN, "u"), message: say("needShortcut") }]}
        >
          <Input autoFocus autoComplete="off" prefix="/" maxLength={DESK_BOUNDS.shortcutLength} />
        </Form.Item>
        <Form.Item
          name="text"
          label={say("text")}
          extra={say("textHint", { placeholders: PLACEHOLDERS })}
          rules={[
            { required: true, whitespace: true, message: say("needText") },
            atMost(DESK_BOUNDS.cannedReplyLength),
          ]}
        >
          <Input.TextArea autoSize={{ minRows: 4, maxRows: 12 }} />
        </Form.Item>
        {save.isError && <ErrorNotice error={save.error} />}
      </Form>
    </Modal>
  );
}
