import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Select } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { useSettled } from "../../lists/use-settled.ts";
import { OPERATOR_KEY, useOperatorChange } from "../operator-queries.ts";
import styles from "./group-members.module.css";
import { GROUPS } from "./words.ts";

const SHOWN = 20;

/** Finds members of the tenant by a part of what they are called, and adds them to a group. */
export function AddToGroup({ tenantId, groupId }: { tenantId: string; groupId: string }) {
  const say = useWords(GROUPS);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const keyword = useSettled(text.trim()) || undefined;
  const { data, isFetching } = useQuery({
    queryKey: [OPERATOR_KEY, "members", tenantId, "choice", keyword],
    queryFn: ({ signal }) => operatorApi.listMembers({ query: { keyword, pageSize: SHOWN } }, { signal, tenantId }),
    placeholderData: keepPreviousData,
  });
  const add = useOperatorChange((members: string[]) =>
    operatorApi.addGroupMembers({ params: { groupId }, body: { members } }, { tenantId }),
  );
  return (
    <>
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0 && !add.isPending) add.mutate(chosen, { onSuccess: () => setChosen([]) });
        }}
      >
        <Select<string[]>
          mode="multiple"
          aria-label={say("toAdd")}
          placeholder={say("toAddHint")}
          showSearch={{ filterOption: false, onSearch: setText }}
          loading={isFetching}
          value={chosen}
          onChange={setChosen}
          options={(data?.items ?? []).map(({ userId, username, name }) => ({
            value: userId,
            label: `${name} (${username})`,
          }))}
          notFoundContent={isFetching ? null : say("noneToAdd")}
          className={styles.choice}
        />
        <Button htmlType="submit" disabled={chosen.length === 0} loading={add.isPending}>
          {say("add")}
        </Button>
      </form>
      {add.isError && <ErrorNotice error={add.error} />}
    </>
  );
}
