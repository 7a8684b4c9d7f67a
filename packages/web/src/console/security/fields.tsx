import { Form, Input } from "antd";
import { useWords } from "../../shared/words/words.ts";
import { SECURITY } from "./words.ts";

/** The password that one signs in with. */
export function CurrentPasswordField({ name, label }: { name: string; label: string }) {
  const say = useWords(SECURITY);
  return (
    <Form.Item name={name} label={label} rules={[{ required: true, message: say("needCurrent") }]}>
      <Input.Password autoComplete="current-password" autoFocus maxLength={1_024} />
    </Form.Item>
  );
}

/** A code of the second factor. */
export function CodeField() {
  const say = useWords(SECURITY);
  return (
    <Form.Item
      name="code"
      label={say("code")}
      extra={say("codeHint")}
      rules={[{ required: true, whitespace: true, message: say("needCode") }]}
    >
      <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} maxLength={64} />
    </Form.Item>
  );
}
