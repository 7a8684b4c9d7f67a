import { ArrowLeftOutlined } from "@ant-design/icons-svg";
import { Icon } from "../../ui/icon.tsx";
import styles from "./pane.module.css";

/** Back to the list, where a phone shows one or the other. */
export function BackButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.back} aria-label={label} onClick={onClick}>
      <Icon of={ArrowLeftOutlined} />
    </button>
  );
}
