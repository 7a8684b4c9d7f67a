import type { ReactNode } from "react";
import styles from "./option-list.module.css";

/** What can be put into a text that is being written; the keyboard stays in the field. */
export function OptionList<Option>({
  id,
  label,
  options,
  current,
  keyOf,
  onChoose,
  children,
}: {
  /** An option's element has this id, a hyphen and its number. */
  id: string;
  label: string;
  options: readonly Option[];
  current: number;
  keyOf: (option: Option) => string;
  onChoose: (chosen: Option) => void;
  children: (option: Option) => ReactNode;
}) {
  return (
    <div id={id} role="listbox" aria-label={label} className={styles.list}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field that the list belongs to takes the keys
        <div
          key={keyOf(option)}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          className={styles.option}
          // The field would lose the focus, and with it what is being typed.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {children(option)}
        </div>
      ))}
    </div>
  );
}
