/** @jsxImportSource preact */
import type { WidgetMessage } from "@portico/protocol/schemas";
import { Component } from "preact";
import { Boundary } from "./boundary.tsx";
import { Bubble, Content } from "./bubble.tsx";
import { sameDay } from "./format.ts";
import styles from "./log.module.css";
import { useSpeech } from "./widget-context.ts";

/** Messages of one sender that are nearer than that stand together. */
const TOGETHER_MS = 5 * 60_000;

interface LineProps {
  message: WidgetMessage;
  before: WidgetMessage | undefined;
  next: WidgetMessage | undefined;
  /** Whether to say that it has been read. */
  isRead: boolean;
  /** What day it is. */
  today: string;
}

/** A message of the log, drawn anew only when something of it is another. */
export class LogLine extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    const keys = Object.keys(next) as (keyof LineProps)[];
    return keys.some((key) => next[key] !== this.props[key]);
  }

  override render(props: LineProps) {
    return <Line {...props} />;
  }
}

/** A message, below the day that it begins. */
function Line({ message, before, next, isRead }: LineProps) {
  const { words, format } = useSpeech();
  const { senderType, agentName, createdAt, msgType, content, seq } = message;
  const isNewDay = before === undefined || !sameDay(before.createdAt, createdAt);
  const time = isRead || isLastOfGroup(message, next) ? format.time(createdAt) : undefined;
  return (
    <>
      {isNewDay && <p class={styles.day}>{format.day(createdAt)}</p>}
      {senderType === "SYSTEM" && typeof content === "string" ? (
        <p class={styles.notice} data-seq={seq}>
          {content}
        </p>
      ) : (
        <Bubble
          isOwn={senderType === "VISITOR"}
          sender={senderType === "VISITOR" ? words.you : (agentName ?? words.agent)}
          isFirst={isNewDay || isLastOfGroup(before, message)}
          seq={seq}
          foot={isRead ? `${time} · ${words.read}` : time}
        >
          <Boundary instead={words.brokenMessage}>
            <Content msgType={msgType} content={content} />
          </Boundary>
        </Bubble>
      )}
    </>
  );
}

/** Whether the next message does not belong to what this one's sender has just said. */
function isLastOfGroup(message: WidgetMessage | undefined, next: WidgetMessage | undefined): boolean {
  if (message === undefined || next === undefined) return true;
  const isSame = message.senderType === next.senderType && message.agentId === next.agentId;
  return !isSame || next.createdAt - message.createdAt > TOGETHER_MS;
}
