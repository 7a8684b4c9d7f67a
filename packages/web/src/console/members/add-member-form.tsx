import { Button } from "antd";
import { useState } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import styles from "./add-member-form.module.css";
import { MemberSearch } from "./member-search.tsx";

/** Chooses a member and does something for them. */
export function AddMemberForm({
  action,
  isDisabled = false,
  add,
}: {
  /** What the button says. */
  action: string;
  isDisabled?: boolean;
  add: (username: string) => Promise<unknown>;
}) {
  const { app } = useApp();
  const [username, setUsername] = useState<string>();
  const adding = useAppChange(app.appId, add);
  return (
    <div className={styles.form}>
      <form
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault();
          if (username === undefined || adding.isPending) return;
          adding.mutate(username, { onSuccess: () => setUsername(undefined) });
        }}
      >
        <MemberSearch app={app} value={username} onChoose={setUsername} />
        <Button htmlType="submit" disabled={isDisabled || username === undefined} loading={adding.isPending}>
          {action}
        </Button>
      </form>
      {adding.isError && <ErrorNotice error={adding.error} />}
    </div>
  );
}
