import { Button } from "antd";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { useEditing } from "../ui/use-editing.ts";
import styles from "./profile-section.module.css";
import { RehearsalForm } from "./rehearsal-form.tsx";
import { type Rehearsal, useRehearsalQuery } from "./rehearsal-queries.ts";
import { REHEARSAL_WORDS } from "./rehearsal-words.ts";

/** The fault that an application rehearses; its owner begins and ends it here. Nothing in production. */
export function RehearsalSection() {
  const say = useWords(REHEARSAL_WORDS);
  const { app, isOwner } = useApp();
  const { data: state } = useRehearsalQuery(app);
  const { isEditing, begin, end, button } = useEditing();
  if (!state?.allowed) return null;
  const { rehearsal } = state;
  const beginning = (
    <Button ref={button} onClick={begin}>
      {say("begin")}
    </Button>
  );
  return (
    <Section title={say("title")} lead={say("lead")} actions={isOwner && rehearsal === null && !isEditing && beginning}>
      {rehearsal !== null && <GoingOn appId={app.appId} rehearsal={rehearsal} isOwner={isOwner} />}
      {rehearsal === null && isEditing && <RehearsalForm appId={app.appId} onDone={end} />}
      {rehearsal === null && !isEditing && <p className={styles.description}>{say("none")}</p>}
    </Section>
  );
}

function GoingOn({ appId, rehearsal, isOwner }: { appId: string; rehearsal: Rehearsal; isOwner: boolean }) {
  const say = useWords(REHEARSAL_WORDS);
  const format = useFormat();
  const ending = useAppChange(appId, () => consoleApi.endRehearsal({ params: { appId } }));
  const { fault, left, endsAt } = rehearsal;
  return (
    <>
      <Notice
        tone="warning"
        title={say("goesOn", { fault: say(fault), left: format.number(left) })}
        action={
          isOwner && (
            <Button loading={ending.isPending} onClick={() => ending.mutate()}>
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
