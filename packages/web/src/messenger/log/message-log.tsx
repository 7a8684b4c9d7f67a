import type { ClientMessage } from "@portico/protocol/schemas";
import { type RefObject, useMemo, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ComposerHandle } from "../../shared/talk/composer/use-put-back.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { LogView } from "../../shared/talk/log/log-view.tsx";
import { useLog, useMessenger } from "../live/use-messenger.ts";
import { LogRowView, type RowContext } from "./log-row-view.tsx";
import { rowsOf, seqOf } from "./log-rows.ts";
import { useShownMessage } from "./use-shown-message.ts";

/** The log of the open conversation. */
export function MessageLog({
  log,
  readSeq,
  unreadCount,
  composer,
  onAtEnd,
}: {
  log: ConversationLog<ClientMessage>;
  /** The line that marks what is new stands before the first message of others after this place; null for no line. */
  readSeq: number | null;
  unreadCount: number;
  composer: RefObject<ComposerHandle | null>;
  /** Told whether the newest messages are in view. */
  onAtEnd: (isAtEnd: boolean) => void;
}) {
  const { me } = useMessenger();
  const myId = me.userId;
  const snapshot = useLog(log);
  const { messages, outgoing, hasEarlier, hasLater } = snapshot;
  const rows = useMemo(
    () => rowsOf({ messages, outgoing: hasLater ? [] : outgoing, hasEarlier, readSeq, myId }),
    [messages, outgoing, hasEarlier, hasLater, readSeq, myId],
  );
  const list = useRef<VirtualizerHandle>(null);
  const { shownId, show } = useShownMessage(list, rows);
  const context = useMemo<RowContext>(
    () => ({
      byId: new Map(messages.map((message) => [message.messageId, message])),
      me,
      shownId,
      onShowParent: show,
      onRetry: (id) => log.retry(id),
      onPutBack: (failed) => composer.current?.putBack(failed),
      onGiveUp: (id) => log.giveUp(id),
    }),
    [messages, me, shownId, show, log, composer],
  );
  return (
    <LogView
      log={log}
      snapshot={snapshot}
      rows={rows}
      list={list}
      seqOf={seqOf}
      unreadCount={unreadCount}
      onAtEnd={onAtEnd}
    >
      {(row) => <LogRowView key={row.key} row={row} context={context} />}
    </LogView>
  );
}
