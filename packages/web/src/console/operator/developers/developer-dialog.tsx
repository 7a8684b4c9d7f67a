import type { DirectoryDeveloper } from "@portico/protocol";
import { Checkbox, Form, InputNumber } from "antd";
import { operatorApi } from "../../../shared/session/console.ts";
import { SHARED } from "../../../shared/words/shared.ts";
import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { NameField, PasswordField, PhoneField } from "../fields/fields.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { TenantsField } from "./tenants-field.tsx";
import { DEVELOPERS } from "./words.ts";

const MOST = 2 ** 31 - 1;

interface Fields {
  phone: string;
  channelId: number;
  name: string;
  password: string;
  tenants: string[];
  operator: boolean;
}

/** Adds a developer, or changes one. */
export function DeveloperDialog({ developer, onDone }: { developer?: DirectoryDeveloper; onDone: () => void }) {
  const say = useWords(DEVELOPERS);
  const sayOperator = useWords(OPERATOR);
  const sayShared = useWords(SHARED);
  const save = useOperatorChange(async ({ phone, channelId, name: typed, password, tenants, operator }: Fields) => {
    const changed = { name: typed.trim(), tenants, operator };
    if (developer !== undefined) {
      return await operatorApi.updateDeveloper({ params: { developerId: developer.developerId }, body: changed });
    }
    return await operatorApi.createDeveloper({ body: { ...changed, phone: phone.trim(), channelId, password } });
  });
  const isNew = developer === undefined;
  return (
    <FormDialog<Fields>
      title={isNew ? say("newDeveloper") : say("editTitle", { name: developer.name })}
      action={isNew ? sayOperator("create") : sayShared("save")}
      isPending={save.isPending}
      error={save.error}
      initialValues={{
        channelId: 1,
        name: developer?.name ?? "",
        tenants: developer?.tenants.map(({ tenantId }) => tenantId) ?? [],
        operator: developer?.operator ?? false,
      }}
      onSubmit={(fields) => save.mutate(fields, { onSuccess: onDone })}
      onCancel={onDone}
    >
      {isNew && (
        <>
          <PhoneField isRequired />
          <Form.Item
            name="channelId"
            label={say("channel")}
            extra={say("channelHint")}
            rules={[{ required: true, message: say("needChannel") }]}
          >
            <InputNumber<number> min={0} max={MOST} precision={0} style={{ width: 160 }} />
          </Form.Item>
        </>
      )}
      <NameField isOfPerson isFocused={!isNew} />
      {isNew && <PasswordField />}
      <Form.Item name="tenants" label={sayOperator("tenants")} extra={say("tenantsHint")}>
        <TenantsField known={developer?.tenants ?? []} />
      </Form.Item>
      <Form.Item name="operator" valuePropName="checked" extra={say("operatorHint")}>
        <Checkbox>{say("operatesPlatform")}</Checkbox>
      </Form.Item>
    </FormDialog>
  );
}
