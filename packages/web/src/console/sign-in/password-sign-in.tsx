import { useMutation } from "@tanstack/react-query";
import { Button, Form, Input, InputNumber } from "antd";
import { consoleApi, consoleSession } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";

interface Fields {
  phone: string;
  password: string;
  channelId: number;
}

/** Sign-in by phone number and password; a number counts within its channel. */
export function PasswordSignIn() {
  const say = useWords(CONSOLE);
  const signIn = useMutation({
    mutationFn: (body: Fields) => consoleApi.login({ body }),
    onSuccess: (login) => consoleSession.start(login),
  });
  return (
    <Form<Fields>
      layout="vertical"
      requiredMark={false}
      initialValues={{ channelId: 1 }}
      onFinish={(fields) => {
        // A second press while the first is under way signs in once.
        if (!signIn.isPending) signIn.mutate({ ...fields, phone: fields.phone.trim() });
      }}
    >
      <Form.Item
        name="phone"
        label={say("phone")}
        rules={[{ required: true, whitespace: true, message: say("needPhone") }]}
      >
        <Input autoComplete="username" inputMode="tel" autoFocus maxLength={64} />
      </Form.Item>
      <Form.Item name="password" label={say("password")} rules={[{ required: true, message: say("needPassword") }]}>
        <Input.Password autoComplete="current-password" maxLength={1_024} />
      </Form.Item>
      <Form.Item
        name="channelId"
        label={say("channel")}
        extra={say("channelHint")}
        rules={[{ required: true, type: "integer", min: 0, message: say("needChannel") }]}
      >
        <InputNumber min={0} precision={0} style={{ width: "100%" }} controls={false} />
      </Form.Item>
      {signIn.isError && (
        <Form.Item>
          <ErrorNotice error={signIn.error} />
        </Form.Item>
      )}
      <Button type="primary" htmlType="submit" block loading={signIn.isPending}>
        {say("signIn")}
      </Button>
    </Form>
  );
}
