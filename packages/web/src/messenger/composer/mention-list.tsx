import { Avatar } from "../../shared/ui/avatar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";
import styles from "../../shared/talk/composer/option-list.module.css";
import type { Mentionable } from "./mention-query.ts";

/** The people and bots that can be mentioned; the keyboard stays in the field. */
export function MentionList({
  id,
  options,
  current,
  onChoose,
}: {
  id: string;
  options: readonly Mentionable[];
  current: number;
  onChoose: (chosen: Mentionable) => void;
}) {
  const say = useWords(MESSENGER);
  return (
    <div id={id} role="listbox" aria-label={say("mentionPeople")} className={styles.list}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field that the list belongs to takes the keys
        <div
          key={option.userId}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          className={styles.option}
          // The field would lose the focus, and with it the name that is being typed.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <Avatar id={option.userId} name={option.name} size={24} isBot={option.isBot} />
          <span className={styles.name}>{option.name}</span>
          {/* By the stylesheet, so that the option is named as the bot. */}
          {option.isBot && <span className={styles.bot} data-badge={say("botBadge")} />}
        </div>
      ))}
    </div>
  );
}
