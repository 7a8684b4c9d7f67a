import { EyeInvisibleOutlined, EyeOutlined } from "@ant-design/icons-svg";
import { type InputHTMLAttributes, type ReactNode, useId, useState } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Icon } from "./icon.tsx";
import styles from "./text-field.module.css";

/** A field with its label above, and below it what helps or its fault, lighter than a form of Ant Design. */
export function TextField({
  label,
  hint,
  fault,
  type,
  ...input
}: {
  label: string;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** Why what was entered will not do. */
  fault?: string | undefined;
} & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const notes = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.entry}>
        <input
          id={id}
          aria-invalid={fault !== undefined}
          aria-describedby={notes || undefined}
          type={isShown ? "text" : type}
          {...input}
        />
        {type === "password" && <ShowButton isShown={isShown} onChange={setShown} />}
      </div>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** Its name does without the field's, by which the field is found. */
function ShowButton({ isShown, onChange }: { isShown: boolean; onChange: (isShown: boolean) => void }) {
  const say = useWords(SHARED);
  const name = say(isShown ? "hideTyped" : "showTyped");
  return (
    <button type="button" className={styles.show} aria-label={name} title={name} onClick={() => onChange(!isShown)}>
      <Icon of={isShown ? EyeOutlined : EyeInvisibleOutlined} />
    </button>
  );
}
