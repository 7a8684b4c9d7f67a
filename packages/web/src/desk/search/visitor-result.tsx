import type { DeskSearch } from "@portico/protocol/schemas";
import { useMutation } from "@tanstack/react-query";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { conversationId, nameOf } from "../live/conversation.ts";
import { deskApi } from "../live/desk-api.ts";
import { goTo } from "../shell/desk-path.ts";
import { DESK } from "../words.ts";
import styles from "./search-results.module.css";

/** A visitor who was found; leads to their newest conversation. */
export function VisitorResult({ appId, visitor }: { appId: string; visitor: DeskSearch["visitors"][number] }) {
  const say = useWords(DESK);
  const { visitorId, thirdUserId, phone, email } = visitor;
  const open = useMutation({
    mutationFn: () => deskApi.getVisitor({ params: { appId, visitorId } }),
    onSuccess({ sessions: [newest] }) {
      if (newest !== undefined) goTo(conversationId(appId, newest.sessionId));
    },
  });
  const isWithout = open.data !== undefined && open.data.sessions.length === 0;
  return (
    <li>
      <button type="button" className={styles.result} onClick={() => open.mutate()}>
        <Avatar id={visitorId} name={nameOf(visitor)} size={32} />
        <span className={styles.words}>
          <span className={styles.name} dir="auto">
            {nameOf(visitor)}
          </span>
          <span className={styles.text} dir="auto">
            {isWithout ? say("neverWrote") : [phone, email, thirdUserId].filter(Boolean).join(" · ")}
          </span>
        </span>
      </button>
      {open.isError && <ErrorNotice error={open.error} />}
    </li>
  );
}
