import { OptionList } from "../../shared/talk/composer/option-list.tsx";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";
import styles from "./mention-list.module.css";
import type { Mentionable } from "./mention-query.ts";

/** The people and bots that can be mentioned. */
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
    <OptionList
      id={id}
      label={say("mentionPeople")}
      options={options}
      current={current}
      keyOf={({ userId }) => userId}
      onChoose={onChoose}
    >
      {({ userId, name, isBot }) => (
        <>
          <Avatar id={isBot ? userId : undefined} name={name} size={24} isBot={isBot} />
          <span className={styles.name}>{name}</span>
          {/* By the stylesheet, so that the option is named as the bot. */}
          {isBot && <span className={styles.bot} data-badge={say("botBadge")} />}
        </>
      )}
    </OptionList>
  );
}
