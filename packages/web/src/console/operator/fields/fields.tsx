import { Form, Input } from "antd";
import { useWords } from "../../../shared/words/words.ts";
import { useAtMost } from "../../ui/use-at-most.ts";
import { OPERATOR } from "../shell/words.ts";

const MAX_NAME_LENGTH = 100;
const MAX_PHONE_LENGTH = 32;
const MAX_ID_LENGTH = 128;
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 1_024;

/** As the service takes them. */
const PHONE = /^\+?[0-9][0-9-]{2,}$/;
const ID = /^[A-Za-z0-9_][A-Za-z0-9._@-]*$/;

/** What somebody or something is called. */
export function NameField({ isOfPerson = false, isFocused = false }: { isOfPerson?: boolean; isFocused?: boolean }) {
  const say = useWords(OPERATOR);
  const atMost = useAtMost();
  return (
    <Form.Item
      name="name"
      label={say(isOfPerson ? "personName" : "name")}
      rules={[{ required: true, whitespace: true, message: say("needName") }, atMost(MAX_NAME_LENGTH)]}
    >
      <Input autoComplete="off" autoFocus={isFocused} />
    </Form.Item>
  );
}

/** A phone number. */
export function PhoneField({ isRequired = false }: { isRequired?: boolean }) {
  const say = useWords(OPERATOR);
  return (
    <Form.Item
      name="phone"
      label={say("phone")}
      extra={isRequired ? undefined : say("optional")}
      rules={[{ required: isRequired, pattern: PHONE, message: say("needPhone") }]}
    >
      <Input type="tel" autoComplete="off" autoFocus={isRequired} maxLength={MAX_PHONE_LENGTH} />
    </Form.Item>
  );
}

/** A password that the operator gives somebody else. */
export function PasswordField({ isNew = false }: { isNew?: boolean }) {
  const say = useWords(OPERATOR);
  return (
    <Form.Item
      name="password"
      label={say(isNew ? "newPassword" : "password")}
      extra={say("passwordHint")}
      rules={[{ required: true, min: MIN_PASSWORD_LENGTH, message: say("needPassword") }]}
    >
      <Input.Password autoComplete="new-password" autoFocus={isNew} maxLength={MAX_PASSWORD_LENGTH} />
    </Form.Item>
  );
}

/** An id or account name that the operator may choose. */
export function IdField({
  name,
  label,
  isRequired = false,
}: {
  name: string;
  label: string;
  /** Otherwise the service makes one up. */
  isRequired?: boolean;
}) {
  const say = useWords(OPERATOR);
  return (
    <Form.Item
      name={name}
      label={label}
      extra={isRequired ? undefined : say("idHint")}
      rules={[{ required: isRequired, pattern: ID, message: say("needId") }]}
    >
      <Input
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={isRequired}
        maxLength={MAX_ID_LENGTH}
      />
    </Form.Item>
  );
}

/** What was left empty is not sent. */
export function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}
