import type { DirectoryDeveloper } from "@portico/protocol";
import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { DEVELOPERS } from "./words.ts";

/** Takes the second factor away of somebody who has lost it, after asking. */
export function ResetFactorButton({ developer: { developerId, name } }: { developer: DirectoryDeveloper }) {
  const say = useWords(DEVELOPERS);
  const [isAsking, setAsking] = useState(false);
  const reset = useOperatorChange(() => operatorApi.resetSecondFactor({ params: { developerId } }));
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {say("resetFactor")}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={say("resetFactorTitle", { name })}
          action={say("resetFactor")}
          isDangerous
          isPending={reset.isPending}
          error={reset.error}
          onConfirm={() => reset.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onCancel={() => setAsking(false)}
        >
          <p>{say("resetFactorWhat")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
