import type { ClientMessage } from "@portico/protocol/schemas";
import { lazy, memo, Suspense } from "react";
import { PartBoundary } from "../../shared/app/part-boundary.tsx";
import { FileLink } from "../../shared/talk/log/file-link.tsx";
import styles from "../../shared/talk/log/message-row.module.css";
import { Picture } from "../../shared/talk/log/picture.tsx";
import { RowFrame } from "../../shared/talk/log/row-frame.tsx";
import { TextContent } from "../../shared/talk/log/text-content.tsx";
import { TALK } from "../../shared/talk/words.ts";
import { fileOf, plainTextOf } from "../../shared/text/file-content.ts";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";
import { textOf } from "./message-content.ts";
import { PostContent } from "./post-content.tsx";

// Cards bring a Markdown parser with them; who has none in sight need not load it.
const CardContent = lazy(async () => ({ default: (await import("./card-content.tsx")).CardContent }));

/** A message: its sender and time where a group of messages begins, what it answers, what it says. */
export const MessageRow = memo(function MessageRow({
  message,
  isFirst,
  isShown,
  parent,
  myId,
  onShowParent,
}: {
  message: ClientMessage;
  /** Whether it begins a group of its sender's. */
  isFirst: boolean;
  /** Whether it is marked, as somebody has asked to see it. */
  isShown: boolean;
  /** The message that it answers: undefined where it answers none, null where that is not on the page. */
  parent: ClientMessage | null | undefined;
  myId: string;
  onShowParent: (messageId: number) => void;
}) {
  const say = useWords(MESSENGER);
  const sayTalk = useWords(TALK);
  const { sender, createTime, messageId } = message;
  const isBot = sender.type === "BOT";
  return (
    <RowFrame
      sender={{ ...(isBot && { id: sender.id }), name: sender.name || say("erasedMember"), isBot }}
      at={createTime}
      isFirst={isFirst}
      isShown={isShown}
      badge={isBot && say("botBadge")}
      messageId={messageId}
    >
      {parent !== undefined && (
        <button
          type="button"
          className={styles.parent}
          disabled={parent === null}
          onClick={() => parent && onShowParent(parent.messageId)}
        >
          {parent === null ? (
            say("answerToEarlier")
          ) : (
            <>
              {say("answerTo", { name: parent.sender.name || say("erasedMember") })}
              <span className={styles.quote}>{parent.recalled ? say("recalled") : textOf(parent, say, sayTalk)}</span>
            </>
          )}
        </button>
      )}
      {/* Whatever a message holds, the others are shown. */}
      <PartBoundary
        version={message.cardVersion}
        instead={<span className={styles.quiet}>{sayTalk("unknownContent")}</span>}
      >
        <Content message={message} myId={myId} />
      </PartBoundary>
    </RowFrame>
  );
});

function Content({ message, myId }: { message: ClientMessage; myId: string }) {
  const say = useWords(MESSENGER);
  const sayTalk = useWords(TALK);
  const unknown = <span className={styles.quiet}>{sayTalk("unknownContent")}</span>;
  if (message.recalled) return <span className={styles.quiet}>{say("recalled")}</span>;
  const { content, mentions, msgType } = message;
  switch (msgType) {
    case "text": {
      const text = plainTextOf(content);
      return text === null ? unknown : <TextContent text={text} mentions={mentions} myId={myId} />;
    }
    case "post":
      return <PostContent content={content} />;
    case "card":
      return (
        <Suspense fallback={<div className={styles.cardToCome} />}>
          <CardContent message={message} />
        </Suspense>
      );
    case "image":
    case "file": {
      const file = fileOf(content);
      if (file === null) return unknown;
      return msgType === "image" ? <Picture file={file} /> : <FileLink file={file} />;
    }
    default:
      return unknown;
  }
}
