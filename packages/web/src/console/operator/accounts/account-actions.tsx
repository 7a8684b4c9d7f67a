import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { useWords } from "../../../shared/words/words.ts";
import lists from "../../lists/list-table.module.css";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { DisableAccountDialog } from "./disable-account-dialog.tsx";
import { ResetPasswordDialog } from "./reset-password-dialog.tsx";

/** What an operator may change of a member or a developer. */
export interface AccountChange {
  password?: string;
  disabled?: boolean;
}

/** What can be done with the account of a member or a developer, in its row. */
export function AccountActions({
  account: { name, disabled },
  isOwn = false,
  change,
  onEdit,
  children,
}: {
  account: { name: string; disabled: boolean };
  /** Whether it is the operator's own, whose password changes with the present one, and which nobody disables. */
  isOwn?: boolean;
  change: (changed: AccountChange) => Promise<unknown>;
  onEdit: () => void;
  /** What else can be done. */
  children?: ReactNode;
}) {
  const say = useWords(OPERATOR);
  const [asking, setAsking] = useState<"reset" | "disable" | null>(null);
  const enable = useOperatorChange(() => change({ disabled: false }));
  const onDone = () => setAsking(null);
  return (
    <>
      <span className={lists.choices}>
        <Button size="small" onClick={onEdit}>
          {say("edit")}
        </Button>
        {!isOwn && (
          <Button size="small" onClick={() => setAsking("reset")}>
            {say("resetPassword")}
          </Button>
        )}
        {children}
        {disabled && (
          <Button size="small" loading={enable.isPending} onClick={() => enable.mutate()}>
            {say("enable")}
          </Button>
        )}
        {!disabled && !isOwn && (
          <Button size="small" danger onClick={() => setAsking("disable")}>
            {say("disable")}
          </Button>
        )}
      </span>
      {enable.isError && <ErrorNotice error={enable.error} />}
      {asking === "reset" && (
        <ResetPasswordDialog name={name} reset={(password) => change({ password })} onDone={onDone} />
      )}
      {asking === "disable" && (
        <DisableAccountDialog name={name} disable={() => change({ disabled: true })} onDone={onDone} />
      )}
    </>
  );
}
