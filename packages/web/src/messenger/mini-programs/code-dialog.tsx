import { useMutation } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import { memberApi } from "../../shared/session/member.ts";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";

/** Makes the code that a mini program would get from the messenger, for its developer to try. */
export function CodeDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(MESSENGER);
  const code = useMutation({ mutationFn: (appId: string) => memberApi.createMiniappCode({ body: { appId } }) });
  return (
    <Dialog title={say("miniProgramCode")} onClose={onClose}>
      <p>{say("miniProgramLead")}</p>
      <Form<{ appId: string }>
        layout="vertical"
        requiredMark={false}
        style={{ marginTop: 16 }}
        onFinish={({ appId }) => code.mutate(appId.trim())}
      >
        <Form.Item name="appId" label={say("appId")} rules={[{ required: true, whitespace: true }]}>
          <Input autoFocus maxLength={64} spellCheck={false} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={code.isPending}>
          {say("getCode")}
        </Button>
      </Form>
      {code.isError && <ErrorNotice error={code.error} />}
      {code.data && (
        <p style={{ marginTop: 16 }}>
          <Copyable text={code.data.code} label={say("code")} /> <TimeAgo at={code.data.expiresAt} />
        </p>
      )}
    </Dialog>
  );
}
