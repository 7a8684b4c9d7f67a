import { Button } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useEditing } from "../ui/use-editing.ts";
import styles from "./profile-section.module.css";
import { RehearsalForm } from "./rehearsal-form.tsx";
import { type Rehearsal, useRehearsalChange, useRehearsalQuery } from "./rehearsal-queries.ts";
import { REHEARSAL_WORDS } from "./rehearsal-words.ts";

/** The fault that an application rehearses; its owner begins and ends it here. Nothing in production. */
export function RehearsalSection() {
  const say = useWords(REHEARSAL_WORDS);
  const { app, isOwner } = useApp();
  const { data: state } = useRehearsalQuery(app);
  const { isEditing, begin, end, button } = useEditing();
  // Whoever has begun or ended it here goes on at the button that takes the place of the one they pressed.
  const [isChangedHere, setChangedHere] = useState(false);
  const changed = () => setChangedHere(true);
  if (!state?.allowed) return null;
  const { rehearsal } = state;
  const beginning = (
    <Button ref={button} autoFocus={isChangedHere} onClick={begin}>
      {say("begin")}
    </Button>
  );
  return (
    <Section title={say("title")} lead={say("lead")} actions={isOwner && rehearsal === null && !isEditing && beginning}>
      {rehearsal !== null && (
        <GoingOn
          appId={app.appId}
          rehearsal={rehearsal}
          isOwner={isOwner}
          takesFocus={isChangedHere}
          onEnded={changed}
        />
      )}
      {rehearsal === null && isEditing && (
        <RehearsalForm
          appId={app.appId}
          onArmed={() => {
            changed();
            end();
          }}
          onCancel={end}
        />
      )}
      {rehearsal === null && !isEditing && <p className={styles.description}>{say("none")}</p>}
    </Section>
  );
}

function GoingOn({
  appId,
  rehearsal,
  isOwner,
  takesFocus,
  onEnded,
}: {
  appId: string;
  rehearsal: Rehearsal;
  isOwner: boolean;
  takesFocus: boolean;
  onEnded: () => void;
}) {
  const say = useWords(REHEARSAL_WORDS);
  const format = useFormat();
  const ending = useRehearsalChange(
    appId,
    async () => {
      await consoleApi.endRehearsal({ params: { appId } });
      return { allowed: true, rehearsal: null };
    },
    onEnded,
  );
  const { fault, left, endsAt } = rehearsal;
  return (
    <>
      <Notice
        tone="warning"
        title={say("goesOn", { fault: say(fault), left: format.number(left) })}
        action={
          isOwner && (
            <Button autoFocus={takesFocus} loading={ending.isPending} onClick={() => ending.mutate()}>
              {say("end")}
            </Button>
          )
        }
      >
        <p>{say("until", { time: format.dateTime(endsAt) })}</p>
      </Notice>
      {ending.isError && <ErrorNotice error={ending.error} />}
    </>
  );
}
