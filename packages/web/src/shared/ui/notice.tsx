import { CloseCircleFilled, ExclamationCircleFilled, InfoCircleFilled } from "@ant-design/icons-svg";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import styles from "./notice.module.css";

const ICONS = { info: InfoCircleFilled, warning: ExclamationCircleFilled, error: CloseCircleFilled } as const;

/** What a person has to know before going on: one line, more below it, and at its end what can be done. */
export function Notice({
  tone,
  title,
  children,
  action,
  role,
}: {
  tone: keyof typeof ICONS;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  role?: "alert";
}) {
  return (
    <div role={role} className={styles.notice} data-tone={tone}>
      <Icon of={ICONS[tone]} className={styles.icon} />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
      {action}
    </div>
  );
}
