import type { IconDefinition } from "@ant-design/icons-svg/es/types";
import { Icon } from "../../shared/ui/icon.tsx";
import styles from "./header-button.module.css";

/** Something that can be done with the open conversation; on a phone its picture alone. */
export function HeaderButton({
  icon,
  label,
  isExpanded,
  onClick,
}: {
  icon: IconDefinition;
  label: string;
  isExpanded?: boolean;
  onClick: () => void;
}) {
  return (
    <button type="button" className={styles.button} title={label} aria-expanded={isExpanded} onClick={onClick}>
      <Icon of={icon} className={styles.icon} />
      <span className={styles.label}>{label}</span>
    </button>
  );
}
