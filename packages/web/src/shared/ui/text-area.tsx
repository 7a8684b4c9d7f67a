import { type TextareaHTMLAttributes, useId } from "react";
import styles from "./text-field.module.css";

/** A field for a text of some lines, with its label above, and below it what helps or its fault. */
export function TextArea({
  label,
  hint,
  fault,
  ...field
}: {
  label: string;
  /** What helps to fill it in. */
  hint?: string | undefined;
  /** Why what was entered will not do. */
  fault?: string | undefined;
} & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const notes = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.entry}>
        <textarea
          id={id}
          aria-invalid={fault !== undefined}
          aria-describedby={notes || undefined}
          dir="auto"
          {...field}
        />
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
