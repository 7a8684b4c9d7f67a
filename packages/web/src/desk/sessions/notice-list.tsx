import type { ReactNode } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { Notice as NoticeBox } from "../../shared/ui/notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { nameOf } from "../live/conversation.ts";
import type { Notice } from "../live/notices.ts";
import { useAgents } from "../live/use-agents.ts";
import { useDesk, useDeskNow } from "../live/use-desk.ts";
import { goTo } from "../shell/desk-path.ts";
import { DESK } from "../words.ts";
import styles from "./notice-list.module.css";

const LOSSES = [
  { kind: "requeued", word: "requeued" },
  { kind: "reassigned", word: "reassigned" },
  { kind: "closed", word: "closedElsewhere" },
] as const;

/** What became of the agent's conversations without them, and what other agents have given them. */
export function NoticeList() {
  const say = useWords(DESK);
  const { notices } = useDeskNow();
  const given = notices.filter(({ kind }) => kind === "given");
  if (notices.length === 0) return null;
  return (
    <div className={styles.notices}>
      {LOSSES.map(({ kind, word }) => {
        const lost = notices.filter((notice) => notice.kind === kind);
        if (lost.length === 0) return null;
        return (
          <Told
            key={kind}
            tone={kind === "requeued" ? "warning" : "info"}
            title={say(word, { count: lost.length })}
            notices={lost}
          >
            {kind === "requeued" && <p>{say("requeuedHint")}</p>}
          </Told>
        );
      })}
      {given.map((notice) => (
        <Given key={notice.key} notice={notice} />
      ))}
    </div>
  );
}

function Given({ notice }: { notice: Notice }) {
  const say = useWords(DESK);
  const { data: agents } = useAgents(notice.conversation.appId);
  const agent = agents?.find(({ agentId }) => agentId === notice.by);
  return (
    <Told
      tone="info"
      title={say("given", { by: agent?.agentName ?? notice.by ?? say("somebody") })}
      notices={[notice]}
    />
  );
}

function Told({
  tone,
  title,
  notices,
  children,
}: {
  tone: "info" | "warning";
  title: string;
  notices: readonly Notice[];
  children?: ReactNode;
}) {
  const say = useWords(DESK);
  const desk = useDesk();
  return (
    <NoticeBox
      tone={tone}
      role="alert"
      title={title}
      action={
        <Button size="small" onClick={() => desk.dismiss(notices)}>
          {say("dismiss")}
        </Button>
      }
    >
      {children}
      <ul className={styles.names}>
        {notices.map(({ key, conversation }) => (
          <li key={key}>
            <button type="button" dir="auto" onClick={() => goTo(conversation.id)}>
              {nameOf(conversation.visitor)}
            </button>
          </li>
        ))}
      </ul>
    </NoticeBox>
  );
}
