import { operatorApi } from "../../../shared/session/console.ts";
import { SHARED } from "../../../shared/words/shared.ts";
import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { given, IdField, NameField } from "../fields/fields.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { TENANTS } from "./words.ts";

interface Fields {
  name: string;
  tenantId?: string;
}

/** Creates a tenant, or renames one. */
export function TenantDialog({ tenant, onDone }: { tenant?: { tenantId: string; name: string }; onDone: () => void }) {
  const say = useWords(TENANTS);
  const sayOperator = useWords(OPERATOR);
  const sayShared = useWords(SHARED);
  const save = useOperatorChange(async (fields: Fields) => {
    const name = fields.name.trim();
    if (tenant !== undefined) {
      return await operatorApi.updateTenant({ params: { tenantId: tenant.tenantId }, body: { name } });
    }
    return await operatorApi.createTenant({ body: { name, tenantId: given(fields.tenantId) } });
  });
  return (
    <FormDialog<Fields>
      title={tenant === undefined ? say("newTenant") : say("renameTitle", { name: tenant.name })}
      action={tenant === undefined ? sayOperator("create") : sayShared("save")}
      isPending={save.isPending}
      error={save.error}
      initialValues={{ name: tenant?.name ?? "" }}
      onSubmit={(fields) => save.mutate(fields, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <NameField isFocused />
      {tenant === undefined && <IdField name="tenantId" label="tenantId" />}
    </FormDialog>
  );
}
