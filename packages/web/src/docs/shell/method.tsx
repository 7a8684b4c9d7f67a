import styles from "./method.module.css";

/** The method of a call; of an event, which the service sends, a sign for that. */
export function Method({ method }: { method: string | null }) {
  return (
    <span className={styles.method} data-method={method ?? "EVENT"}>
      {method ?? "EVENT"}
    </span>
  );
}
