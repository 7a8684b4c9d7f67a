/** @jsxImportSource preact */
import styles from "./header.module.css";
import { Icon } from "./icon.tsx";
import { useSpeech } from "./widget-context.ts";

/** Whose widget it is, whether somebody answers, and the way out. */
export function Header({
  name,
  isAway,
  hasSound,
  onSound,
  onClose,
}: {
  name: string;
  isAway: boolean;
  hasSound: boolean;
  onSound: () => void;
  onClose: () => void;
}) {
  const { words } = useSpeech();
  return (
    <header class={styles.header}>
      <span class={styles.initial} aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
      <div class={styles.names}>
        <h1>{name}</h1>
        <p class={isAway ? styles.away : styles.online}>{isAway ? words.away : words.online}</p>
      </div>
      <button type="button" aria-label={hasSound ? words.soundOff : words.soundOn} onClick={onSound}>
        <Icon of={hasSound ? "sound" : "silent"} />
      </button>
      <button type="button" aria-label={words.close} onClick={onClose}>
        <Icon of="close" />
      </button>
    </header>
  );
}
