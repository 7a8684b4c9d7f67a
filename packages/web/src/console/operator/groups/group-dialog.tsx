import type { Group } from "@portico/protocol";
import { operatorApi } from "../../../shared/session/console.ts";
import { SHARED } from "../../../shared/words/shared.ts";
import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { given, IdField, NameField } from "../fields/fields.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { GROUPS } from "./words.ts";

interface Fields {
  name: string;
  groupId?: string;
}

/** Creates a group, which is filled afterwards, or renames one. */
export function GroupDialog({ tenantId, group, onDone }: { tenantId: string; group?: Group; onDone: () => void }) {
  const say = useWords(GROUPS);
  const sayOperator = useWords(OPERATOR);
  const sayShared = useWords(SHARED);
  const save = useOperatorChange(async (fields: Fields) => {
    const name = fields.name.trim();
    if (group !== undefined) {
      return await operatorApi.updateGroup({ params: { groupId: group.groupId }, body: { name } }, { tenantId });
    }
    return await operatorApi.createGroup({ body: { name, groupId: given(fields.groupId) } }, { tenantId });
  });
  return (
    <FormDialog<Fields>
      title={group === undefined ? say("newGroup") : say("renameTitle", { name: group.name })}
      action={group === undefined ? sayOperator("create") : sayShared("save")}
      isPending={save.isPending}
      error={save.error}
      initialValues={{ name: group?.name ?? "" }}
      onSubmit={(fields) => save.mutate(fields, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <NameField isFocused />
      {group === undefined && <IdField name="groupId" label="groupId" />}
    </FormDialog>
  );
}
