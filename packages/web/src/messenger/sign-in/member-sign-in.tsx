import { useMutation } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import { useEffect } from "react";
import { memberApi, memberSession } from "../../shared/session/member.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SignInFrame } from "../../shared/ui/sign-in-frame.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";

interface Fields {
  tenantId: string;
  username: string;
  password: string;
}

/** The messenger, signed out. */
export function MemberSignIn() {
  const say = useWords(MESSENGER);
  useEffect(() => {
    document.title = `${say("signInTitle")} · Portico`;
  }, [say]);
  const signIn = useMutation({
    mutationFn: (body: Fields) => memberApi.login({ body }),
    onSuccess: (login) => memberSession.start(login),
  });
  return (
    <SignInFrame title={say("signInTitle")} lead={say("signInLead")}>
      <Form<Fields>
        layout="vertical"
        requiredMark={false}
        onFinish={({ tenantId, username, password }) => {
          // A second press while the first is under way signs in once.
          if (!signIn.isPending) signIn.mutate({ tenantId: tenantId.trim(), username: username.trim(), password });
        }}
      >
        <Form.Item
          name="tenantId"
          label={say("organisation")}
          rules={[{ required: true, whitespace: true, message: say("needOrganisation") }]}
        >
          <Input autoComplete="organization" autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item
          name="username"
          label={say("userName")}
          rules={[{ required: true, whitespace: true, message: say("needUserName") }]}
        >
          <Input autoComplete="username" maxLength={64} />
        </Form.Item>
        <Form.Item name="password" label={say("password")} rules={[{ required: true, message: say("needPassword") }]}>
          <Input.Password autoComplete="current-password" maxLength={1_024} />
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
    </SignInFrame>
  );
}
