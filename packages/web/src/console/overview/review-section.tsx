import { Button, Input } from "antd";
import { useId, useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { useTooLong } from "../../shared/ui/use-too-long.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { type AppDetail, useAppChange } from "../app/app-queries.ts";
import { LastReview } from "./last-review.tsx";
import styles from "./review-section.module.css";
import { OVERVIEW } from "./words.ts";

/** The review that lets an application work: its state, and what the owner can do about it. */
export function ReviewSection() {
  const say = useWords(OVERVIEW);
  const { app, isOwner } = useApp();
  const isPending = app.review?.state === "PENDING";
  return (
    <div id="review" className={styles.anchor}>
      <Section title={say("review")} lead={say("reviewLead")}>
        {app.review !== null && <LastReview review={app.review} />}
        {isOwner && isPending && <WithdrawButton appId={app.appId} />}
        {isOwner && canSubmit(app) && <SubmitForm appId={app.appId} />}
        {app.review === null && !(isOwner && canSubmit(app)) && (
          <p className={styles.quiet}>{say(app.status === "UNPUBLISHED" ? "notSubmitted" : "nothingWaits")}</p>
        )}
      </Section>
    </div>
  );
}

/** An ACTIVE application has something to review as long as it has asked for scopes that it does not hold. */
function canSubmit({ status, review, scopes }: AppDetail): boolean {
  if (review?.state === "PENDING" || status === "DISABLED") return false;
  return status !== "ACTIVE" || scopes.some(({ state }) => state === "REQUESTED");
}

function SubmitForm({ appId }: { appId: string }) {
  const say = useWords(OVERVIEW);
  const id = useId();
  const [note, setNote] = useState("");
  const tooLong = useTooLong()(note, 2_000);
  const submit = useAppChange(appId, (text: string) =>
    consoleApi.submitApp({ params: { appId }, body: text === "" ? {} : { note: text } }),
  );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (tooLong === undefined && !submit.isPending) submit.mutate(note.trim());
      }}
    >
      <div className={styles.field}>
        <label htmlFor={id}>{say("note")}</label>
        <Input.TextArea
          id={id}
          value={note}
          onChange={({ target }) => setNote(target.value)}
          autoSize={{ minRows: 2, maxRows: 8 }}
          aria-invalid={tooLong !== undefined}
        />
        {tooLong !== undefined && <small role="alert">{tooLong}</small>}
        <small>{say("noteHint")}</small>
      </div>
      {submit.isError && <ErrorNotice error={submit.error} />}
      <Button type="primary" htmlType="submit" loading={submit.isPending}>
        {say("submit")}
      </Button>
    </form>
  );
}

function WithdrawButton({ appId }: { appId: string }) {
  const say = useWords(OVERVIEW);
  const withdraw = useAppChange(appId, () => consoleApi.withdrawApp({ params: { appId } }));
  return (
    <div className={styles.form}>
      {withdraw.isError && <ErrorNotice error={withdraw.error} />}
      <Button loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {say("withdraw")}
      </Button>
    </div>
  );
}
