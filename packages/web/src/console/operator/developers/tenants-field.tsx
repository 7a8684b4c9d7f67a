import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { useSettled } from "../../lists/use-settled.ts";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { TENANT } from "../tenant/words.ts";

const SHOWN = 20;

/** Chooses tenants, each found by a part of its name or id. A form gives the value and takes its changes. */
export function TenantsField({
  id,
  known,
  value,
  onChange,
}: {
  id?: string;
  /** Tenants whose names are known, as they are chosen already. */
  known: readonly { tenantId: string; name: string }[];
  value?: string[];
  onChange?: (tenantIds: string[]) => void;
}) {
  const say = useWords(TENANT);
  const [text, setText] = useState("");
  const keyword = useSettled(text.trim()) || undefined;
  const { data, isFetching } = useQuery({
    queryKey: [OPERATOR_KEY, "tenants", "choice", keyword],
    queryFn: ({ signal }) => operatorApi.listTenants({ query: { keyword, pageSize: SHOWN } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const found = new Map((data?.items ?? []).map(({ tenantId, name }) => [tenantId, name]));
  // Those that are chosen have to be among the choices, or they would be shown by their ids.
  if (text === "") for (const { tenantId, name } of known) found.set(tenantId, name);
  return (
    <Select<string[]>
      {...(id !== undefined && { id })}
      mode="multiple"
      showSearch={{ filterOption: false, onSearch: setText }}
      loading={isFetching}
      value={value ?? []}
      {...(onChange && { onChange })}
      options={[...found].map(([tenantId, name]) => ({ value: tenantId, label: name, title: tenantId }))}
      notFoundContent={isFetching ? null : say("none")}
    />
  );
}
