import { type InputHTMLAttributes, useId } from "react";
import styles from "./text-field.module.css";

/** A field with its label above and its fault below, lighter than a form of Ant Design. */
export function TextField({
  label,
  fault,
  ...input
}: {
  label: string;
  /** Why what was entered will not do. */
  fault?: string | undefined;
} & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        {...input}
      />
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}
