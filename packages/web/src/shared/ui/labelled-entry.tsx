import { type ReactNode, useId } from "react";
import styles from "./text-field.module.css";

/** What is said about an entry. */
export interface EntryNotes {
  label: string;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** Why what was entered will not do. */
  fault?: string | undefined;
}

/** An entry with its label above, and below it what helps or its fault. The entry takes the attributes that tie these to it. */
export function LabelledEntry({
  label,
  hint,
  fault,
  children,
}: EntryNotes & {
  children: (ties: { id: string; "aria-invalid": boolean; "aria-describedby": string | undefined }) => ReactNode;
}) {
  const id = useId();
  const notes = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.entry}>
        {children({ id, "aria-invalid": fault !== undefined, "aria-describedby": notes || undefined })}
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
