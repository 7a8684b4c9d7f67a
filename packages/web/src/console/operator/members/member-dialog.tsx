import type { DirectoryMember } from "@portico/protocol";
import { operatorApi } from "../../../shared/session/console.ts";
import { SHARED } from "../../../shared/words/shared.ts";
import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { given, IdField, NameField, PasswordField, PhoneField } from "../fields/fields.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { TENANT_MEMBERS } from "./words.ts";

interface Fields {
  username: string;
  name: string;
  phone?: string;
  password: string;
}

/** Adds a member to a tenant, or changes one. */
export function MemberDialog({
  tenantId,
  member,
  onDone,
}: {
  tenantId: string;
  member?: DirectoryMember;
  onDone: () => void;
}) {
  const say = useWords(TENANT_MEMBERS);
  const sayOperator = useWords(OPERATOR);
  const sayShared = useWords(SHARED);
  const save = useOperatorChange(async ({ username, name: typed, phone, password }: Fields) => {
    const name = typed.trim();
    if (member !== undefined) {
      const params = { userId: member.userId };
      return await operatorApi.updateMember({ params, body: { name, phone: given(phone) ?? null } }, { tenantId });
    }
    return await operatorApi.createMember({ body: { username, name, phone: given(phone), password } }, { tenantId });
  });
  return (
    <FormDialog<Fields>
      title={member === undefined ? say("newMember") : say("editTitle", { name: member.name })}
      action={member === undefined ? sayOperator("create") : sayShared("save")}
      isPending={save.isPending}
      error={save.error}
      initialValues={{ name: member?.name ?? "", phone: member?.phone ?? "" }}
      onSubmit={(fields) => save.mutate(fields, { onSuccess: onDone })}
      onCancel={onDone}
    >
      {member === undefined && <IdField name="username" label={say("username")} isRequired />}
      <NameField isOfPerson isFocused={member !== undefined} />
      <PhoneField />
      {member === undefined && <PasswordField />}
    </FormDialog>
  );
}
