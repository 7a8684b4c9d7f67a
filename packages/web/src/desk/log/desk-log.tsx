import type { DeskNote } from "@portico/protocol/schemas";
import { type RefObject, useMemo, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ComposerHandle } from "../../shared/talk/composer/use-put-back.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { LogView } from "../../shared/talk/log/log-view.tsx";
import type { RowSender } from "../../shared/talk/log/row-frame.tsx";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import type { DeskEntry } from "../live/desk-entry.ts";
import { useAgents } from "../live/use-agents.ts";
import { useDesk, useLog, useNotes } from "../live/use-desk.ts";
import { forgetPlace } from "../shell/desk-path.ts";
import { DESK } from "../words.ts";
import { DeskRowView, type RowContext } from "./desk-row-view.tsx";
import { rowsOf, seqOf } from "./desk-rows.ts";

/** The log of the open conversation, with what was said in the visitor's earlier ones. */
export function DeskLog({
  log,
  conversation,
  readSeq,
  unreadCount,
  place,
  composer,
  onAtEnd,
}: {
  log: ConversationLog<DeskEntry>;
  conversation: Conversation;
  /** The line that marks what is new stands before the visitor's first message after this place; null for no line. */
  readSeq: number | null;
  unreadCount: number;
  /** The place of the message that was asked for; null for the newest. */
  place: number | null;
  /** Null where the agent does not write. */
  composer: RefObject<ComposerHandle | null> | null;
  /** Told whether the newest messages are in view. */
  onAtEnd: (isAtEnd: boolean) => void;
}) {
  const { me } = useDesk();
  const snapshot = useLog(log);
  const { messages, outgoing, hasEarlier, hasLater } = snapshot;
  const { visitorReadSeq } = conversation;
  const notes = useNotesUntil(conversation);
  const { data: agents } = useAgents(conversation.appId);
  const rows = useMemo(
    () =>
      rowsOf({
        messages,
        outgoing: hasLater ? [] : outgoing,
        notes,
        hasEarlier,
        hasLater,
        readSeq,
        visitorReadSeq,
        myName: me.username,
      }),
    [messages, outgoing, notes, hasEarlier, hasLater, readSeq, visitorReadSeq, me.username],
  );
  const list = useRef<VirtualizerHandle>(null);
  const { visitorId } = conversation.visitor;
  const visitorName = nameOf(conversation.visitor);
  const { agentId, agentName } = conversation.session;
  const isEmpty = messages.length === 0;
  const somebody = useWords(DESK)("somebody");
  const context = useMemo<RowContext>(() => {
    const names = new Map((agents ?? []).map((agent) => [agent.agentId, agent.agentName]));
    if (agentId !== null && agentName !== null) names.set(agentId, agentName);
    // One object for each, so that a message is drawn anew only when something in it has changed.
    const self = { name: me.name };
    const senders = new Map<string, RowSender>();
    return {
      isEmpty,
      place,
      me,
      visitor: { id: visitorId, name: visitorName },
      agentOf(username, name) {
        const key = `${username ?? ""} ${name ?? ""}`;
        const known = senders.get(key) ?? (username === me.username ? self : undefined);
        if (known !== undefined) return known;
        const sender = { name: name ?? names.get(username ?? "") ?? username ?? somebody };
        senders.set(key, sender);
        return sender;
      },
      onRetry: (id) => log.retry(id),
      onPutBack: composer && ((failed) => composer.current?.putBack(failed)),
      onGiveUp: (id) => log.giveUp(id),
    };
  }, [me, visitorId, visitorName, agents, agentId, agentName, isEmpty, place, log, composer, somebody]);
  return (
    <LogView
      log={log}
      snapshot={snapshot}
      rows={rows}
      list={list}
      seqOf={seqOf}
      unreadCount={unreadCount}
      place={place}
      onAtEnd={onAtEnd}
      onToEnd={forgetPlace}
    >
      {(row) => <DeskRowView key={row.key} row={row} context={context} />}
    </LogView>
  );
}

/** The notes about the visitor; of a closed conversation those that were written up to its end. */
function useNotesUntil(conversation: Conversation): readonly DeskNote[] {
  const { status, sessionId } = conversation.session;
  const all = useNotes(conversation);
  return useMemo(
    () => (status === "CLOSED" ? all.filter((note) => note.sessionId <= sessionId) : all),
    [all, status, sessionId],
  );
}
