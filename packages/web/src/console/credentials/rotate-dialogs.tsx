import { useWords } from "../../shared/words/words.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ShownOnceDialog } from "../ui/shown-once-dialog.tsx";
import { useRotate } from "./credentials-queries.ts";
import { CREDENTIALS } from "./words.ts";

/** Asks whether to rotate, then shows the new credential, this once. */
export function RotateDialogs({ appId, onDone }: { appId: string; onDone: () => void }) {
  const say = useWords(CREDENTIALS);
  const rotate = useRotate(appId);
  if (rotate.data !== undefined) {
    const { credentialId, appSecret } = rotate.data;
    return (
      <ShownOnceDialog
        title={say("rotated")}
        warning={say("keepSecret")}
        values={[
          { name: "credentialId", value: credentialId },
          { name: "appSecret", value: appSecret },
        ]}
        onStored={onDone}
      />
    );
  }
  return (
    <ConfirmDialog
      title={say("rotateTitle")}
      action={say("rotate")}
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onCancel={onDone}
    >
      <p>{say("rotateWhat")}</p>
      <p>{say("rotateThen")}</p>
    </ConfirmDialog>
  );
}
