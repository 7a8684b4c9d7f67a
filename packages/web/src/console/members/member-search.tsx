import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { appKey } from "../app/app-queries.ts";
import { useSettled } from "../lists/use-settled.ts";
import { MEMBERS } from "./words.ts";

const SHOWN = 20;

/** Finds a member of the application's tenant, of those who do not have it, by a part of the account or the name. */
export function MemberSearch({
  app: { appId, tenantId },
  value,
  onChoose,
}: {
  app: AppDetail;
  /** The account of who is chosen. */
  value: string | undefined;
  onChoose: (username: string | undefined) => void;
}) {
  const say = useWords(MEMBERS);
  const [text, setText] = useState("");
  const keyword = useSettled(text.trim());
  const { data, isFetching, isError } = useQuery({
    queryKey: [...appKey(appId), "members", keyword],
    queryFn: ({ signal }) => {
      const query = { keyword: keyword || undefined, limit: SHOWN };
      return consoleApi.listInstallableMembers({ params: { appId }, query }, { signal, tenantId });
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Select<string>
      aria-label={say("member")}
      placeholder={say("memberHint")}
      showSearch={{ filterOption: false, onSearch: setText }}
      allowClear
      loading={isFetching}
      value={value ?? null}
      onChange={(chosen?: string) => onChoose(chosen)}
      options={(data ?? []).map(({ username, name }) => ({ value: username, label: `${name} (${username})` }))}
      notFoundContent={isFetching ? null : say(isError ? "failed" : "none")}
      style={{ width: 320, maxWidth: "100%" }}
    />
  );
}
