import type { Agent } from "@portico/protocol";
import { Button, InputNumber } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import styles from "./max-sessions-field.module.css";
import { AGENTS } from "./words.ts";

const MOST = 1_000;

/** How many sessions at a time an agent is given; saved by a button that appears once it is another. */
export function MaxSessionsField({ agent: { agentId, name, maxSessions } }: { agent: Agent }) {
  const say = useWords(AGENTS);
  const sayShared = useWords(SHARED);
  const { appId, tenantId } = useApp().app;
  const [wanted, setWanted] = useState<number | null>(null);
  const save = useAppChange(appId, (most: number) =>
    consoleApi.updateAgent({ params: { appId, username: agentId }, body: { maxSessions: most } }, { tenantId }),
  );
  const isChanged = wanted !== null && wanted !== maxSessions;
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !save.isPending) save.mutate(wanted, { onSuccess: () => setWanted(null) });
      }}
    >
      <InputNumber
        size="small"
        aria-label={say("maxSessionsOf", { name })}
        min={1}
        max={MOST}
        precision={0}
        value={wanted ?? maxSessions}
        onChange={setWanted}
      />
      {isChanged && (
        <Button size="small" htmlType="submit" loading={save.isPending}>
          {sayShared("save")}
        </Button>
      )}
      {save.isError && <ErrorNotice error={save.error} />}
    </form>
  );
}
