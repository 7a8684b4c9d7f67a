import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { useSettled } from "../../lists/use-settled.ts";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { TENANT } from "./words.ts";

const SHOWN = 20;

/** Finds a tenant by a part of its name or id; with `all` none may be chosen, which means all. */
export function TenantSelect({
  value,
  all,
  onChange,
}: {
  value: string | undefined;
  /** What is said where none is chosen. */
  all?: string;
  onChange: (tenantId: string | undefined) => void;
}) {
  const say = useWords(TENANT);
  const [text, setText] = useState("");
  const keyword = useSettled(text.trim()) || undefined;
  const { data, isFetching } = useQuery({
    queryKey: [OPERATOR_KEY, "tenants", "choice", keyword],
    queryFn: ({ signal }) => operatorApi.listTenants({ query: { keyword, pageSize: SHOWN } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const options = (data?.items ?? []).map(({ tenantId, name }) => ({ value: tenantId, label: name, title: tenantId }));
  const isListed = value === undefined || options.some((option) => option.value === value);
  return (
    <Select<string>
      aria-label={say("tenant")}
      placeholder={all ?? say("tenant")}
      showSearch={{ filterOption: false, onSearch: setText }}
      allowClear={all !== undefined}
      loading={isFetching}
      value={value ?? null}
      onChange={(chosen?: string) => onChange(chosen)}
      options={isListed || text !== "" ? options : [...options, { value, label: value, title: value }]}
      notFoundContent={isFetching ? null : say("none")}
      popupMatchSelectWidth={false}
      style={{ minWidth: 180, maxWidth: "100%" }}
    />
  );
}
