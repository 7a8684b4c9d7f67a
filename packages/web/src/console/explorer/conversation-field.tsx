import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useId } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import styles from "./explorer.module.css";
import { asObject } from "./schema-field.ts";
import { EXPLORER } from "./words.ts";

/** The most conversations that are offered; another one is typed. */
const MOST_OFFERED = 100;

/** Offers the conversations in which the bot is installed, and fills their ids in. Nothing where there is none, or they cannot be read. */
export function ConversationField({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const say = useWords(EXPLORER);
  const id = useId();
  const { appId, tenantId } = useApp().app;
  const query = { status: "ACTIVE", pageSize: MOST_OFFERED } as const;
  const { data } = useQuery({
    queryKey: [...appKey(appId), "installations", query],
    queryFn: ({ signal }) => consoleApi.listInstallations({ params: { appId }, query }, { signal, tenantId }),
  });
  if (data === undefined || data.items.length === 0) return null;
  const body = asObject(value);
  const chosen = data.items.find(({ targetId }) => targetId === body.receiveId);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{say("conversation")}</label>
      <Select
        id={id}
        value={chosen?.targetId}
        placeholder={say("chooseConversation")}
        showSearch={{ optionFilterProp: "label" }}
        options={data.items.map(({ targetId, name }) => ({ value: targetId, label: name || targetId }))}
        onChange={(targetId) => {
          const target = data.items.find((each) => each.targetId === targetId);
          if (target === undefined) return;
          onChange({
            ...body,
            receiveIdType: target.targetType === "GROUP" ? "group_id" : "user_id",
            receiveId: targetId,
          });
        }}
      />
      <span className={styles.hint}>{say("conversationHint")}</span>
    </div>
  );
}
