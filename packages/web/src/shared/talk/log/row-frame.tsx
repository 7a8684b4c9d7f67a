import type { ReactNode } from "react";
import { Avatar } from "../../ui/avatar.tsx";
import { useFormat } from "../../words/format.ts";
import styles from "./message-row.module.css";

/** Who wrote something. */
export interface RowSender {
  /** Decides the colour of the avatar, where the name does not. */
  id?: string;
  name: string;
  isBot?: boolean;
}

/** What is around a message: its sender and time where a group of messages begins. */
export function RowFrame({
  sender,
  at,
  isFirst,
  isShown = false,
  tone,
  label,
  badge,
  messageId,
  children,
}: {
  sender: RowSender;
  /** Epoch milliseconds. */
  at: number;
  /** Whether it begins a group of its sender's. */
  isFirst: boolean;
  /** Whether it is marked, as somebody has asked to see it. */
  isShown?: boolean;
  /** "agent" for what one's own side wrote, "warn" for what must not be taken for a message. */
  tone?: "agent" | "warn" | undefined;
  /** Its name for who does not see it. */
  label?: string;
  /** What the sender is, in a word. */
  badge?: ReactNode;
  messageId?: number;
  children: ReactNode;
}) {
  const format = useFormat();
  const time = format.time(at);
  const dateTime = new Date(at).toISOString();
  return (
    <article
      className={styles.row}
      data-first={isFirst || undefined}
      data-shown={isShown || undefined}
      data-tone={tone}
      data-message={messageId}
      aria-label={label ?? `${sender.name}, ${time}`}
    >
      <div className={styles.gutter}>
        {isFirst ? (
          <Avatar id={sender.id} name={sender.name} isBot={sender.isBot ?? false} />
        ) : (
          <time className={styles.quietTime} dateTime={dateTime}>
            {time}
          </time>
        )}
      </div>
      <div className={styles.body}>
        {isFirst && (
          <header className={styles.header}>
            <span className={styles.name} dir="auto">
              {sender.name}
            </span>
            {badge && <span className={styles.badge}>{badge}</span>}
            <time className={styles.time} dateTime={dateTime} title={format.dateTime(at)}>
              {time}
            </time>
          </header>
        )}
        {children}
      </div>
    </article>
  );
}
