import type { AppQuota } from "@portico/protocol";
import { Form, InputNumber } from "antd";
import { operatorApi } from "../../../shared/session/console.ts";
import { SHARED } from "../../../shared/words/shared.ts";
import { useWords } from "../../../shared/words/words.ts";
import { OVERVIEW } from "../../overview/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { ALL_APPS } from "./words.ts";

const LIMITS = ["perMinute", "perDay", "concurrent"] as const;

type Fields = Record<(typeof LIMITS)[number], number | null | undefined>;

/** Sets what an application may call; what is left empty follows the service's default. */
export function QuotaDialog({
  app: { appId, displayName, quota },
  onDone,
}: {
  app: { appId: string; displayName: string; quota: AppQuota };
  onDone: () => void;
}) {
  const say = useWords(ALL_APPS);
  const sayOverview = useWords(OVERVIEW);
  const sayShared = useWords(SHARED);
  const save = useOperatorChange(({ perMinute = null, perDay = null, concurrent = null }: Fields) =>
    operatorApi.updateQuota({ params: { appId }, body: { perMinute, perDay, concurrent } }),
  );
  const ownOnly = (limit: keyof Fields) => (quota.isDefault[limit] ? null : quota[limit]);
  return (
    <FormDialog<Fields>
      title={say("quotaTitle", { name: displayName })}
      action={sayShared("save")}
      lead={say("quotaHint")}
      isPending={save.isPending}
      error={save.error}
      initialValues={{ perMinute: ownOnly("perMinute"), perDay: ownOnly("perDay"), concurrent: ownOnly("concurrent") }}
      onSubmit={(fields) => save.mutate(fields, { onSuccess: onDone })}
      onCancel={onDone}
    >
      {LIMITS.map((limit) => (
        <Form.Item key={limit} name={limit} label={sayOverview(limit)}>
          <InputNumber<number>
            min={1}
            max={Number.MAX_SAFE_INTEGER}
            precision={0}
            placeholder={quota.isDefault[limit] ? String(quota[limit]) : say("default")}
            style={{ width: 200 }}
          />
        </Form.Item>
      ))}
    </FormDialog>
  );
}
