import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isPassing } from "../../shared/app/may-retry.ts";
import { memberApi } from "../../shared/session/member.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TextField } from "../../shared/ui/text-field.tsx";
import { useWords } from "../../shared/words/words.ts";
import { qrTokenIn } from "../shell/qr-token.ts";
import { MESSENGER } from "../words.ts";
import { Camera } from "./camera.tsx";
import styles from "./qr-dialog.module.css";

/** Signs the developer with the member's phone number in to the console: take the code, see whose it is, confirm. */
export function QrDialog({ token, onClose }: { token: string | null; onClose: () => void }) {
  const say = useWords(MESSENGER);
  const [qrToken, setToken] = useState(token);
  return (
    <Dialog title={qrToken === null ? say("scanQr") : say("confirmTitle")} onClose={onClose}>
      {qrToken === null ? <TakeCode onToken={setToken} /> : <Confirm qrToken={qrToken} onDone={onClose} />}
    </Dialog>
  );
}

function TakeCode({ onToken }: { onToken: (token: string) => void }) {
  const say = useWords(MESSENGER);
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [usesCamera, setUsesCamera] = useState(false);
  function take(words: string): void {
    const found = qrTokenIn(words);
    setWrong(found === null);
    if (found !== null) onToken(found);
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        take(text);
      }}
    >
      <TextField
        label={say("code")}
        hint={say("codeHint")}
        fault={isWrong ? say("codeNotOurs") : undefined}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        maxLength={2_048}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {usesCamera && <Camera onText={take} />}
      <div className={styles.buttons}>
        {!usesCamera && <Button onClick={() => setUsesCamera(true)}>{say("useCamera")}</Button>}
        <Button kind="primary" type="submit">
          {say("continue")}
        </Button>
      </div>
    </form>
  );
}

function Confirm({ qrToken, onDone }: { qrToken: string; onDone: () => void }) {
  const say = useWords(MESSENGER);
  const scan = useMutation({ mutationFn: () => memberApi.scanQr({ body: { qrToken } }) });
  const confirm = useMutation({ mutationFn: () => memberApi.confirmQr({ body: { qrToken } }) });
  const { mutate } = scan;
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    mutate();
  }, [mutate]);
  if (confirm.isSuccess) {
    return (
      <div className={styles.form}>
        <p role="status">{say("confirmed")}</p>
        <div className={styles.buttons}>
          <Button onClick={onDone}>{say("done")}</Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.form}>
      <p className={styles.hint}>{say("confirmLead")}</p>
      {scan.isError && <ErrorNotice error={scan.error} onRetry={isPassing(scan.error) ? () => mutate() : undefined} />}
      {confirm.isError && <ErrorNotice error={confirm.error} />}
      {scan.data && (
        <dl className={styles.facts}>
          <dt>{say("developer")}</dt>
          <dd>{scan.data.developer.name}</dd>
          <dt>{say("from")}</dt>
          <dd>
            <code>{scan.data.origin.address}</code>
          </dd>
          <dt>{say("browser")}</dt>
          <dd>{scan.data.origin.userAgent}</dd>
        </dl>
      )}
      <div className={styles.buttons}>
        <Button kind="primary" disabled={!scan.isSuccess} isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
          {say("confirm")}
        </Button>
      </div>
    </div>
  );
}
