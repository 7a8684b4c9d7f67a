import type { FoundMessage } from "@portico/protocol/schemas";
import { TALK } from "../../shared/talk/words.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { dayOf, useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { conversationId, nameOf } from "../live/conversation.ts";
import { toEntry } from "../live/desk-entry.ts";
import { lineOfEntry } from "../sessions/last-entry.tsx";
import { goTo } from "../shell/desk-path.ts";
import styles from "./search-results.module.css";

/** What was found farther from the beginning of its line than this is shown with a part of what is before it. */
const NEAR = 24;
const BEFORE = 12;

/** A message that was found; leads to its place in its conversation. */
export function MessageResult({ appId, message, visitor, words }: { appId: string; words: string } & FoundMessage) {
  const format = useFormat();
  const sayTalk = useWords(TALK);
  const day = dayOf(Date.now());
  const open = () => goTo(conversationId(appId, message.sessionId), message.seq);
  return (
    <li>
      <button type="button" className={styles.result} onClick={open}>
        <Avatar id={visitor.visitorId} name={nameOf(visitor)} size={32} />
        <span className={styles.words}>
          <span className={styles.name} dir="auto">
            {nameOf(visitor)}
          </span>
          <span className={styles.text} dir="auto">
            {format.short(message.createdAt, day)} ·{" "}
            <Marked line={lineOfEntry(toEntry(message), sayTalk)} words={words} />
          </span>
        </span>
      </button>
    </li>
  );
}

/** A line with what was looked for marked. */
function Marked({ line, words }: { line: string; words: string }) {
  const at = line.toLowerCase().indexOf(words.toLowerCase());
  if (at === -1) return line;
  const from = at > NEAR ? at - BEFORE : 0;
  return (
    <>
      {from > 0 && "…"}
      {line.slice(from, at)}
      <mark>{line.slice(at, at + words.length)}</mark>
      {line.slice(at + words.length)}
    </>
  );
}
