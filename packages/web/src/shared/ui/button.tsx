import { LoadingOutlined } from "@ant-design/icons-svg";
import type { ButtonHTMLAttributes } from "react";
import styles from "./button.module.css";
import { Icon } from "./icon.tsx";

/** A button, lighter than Ant Design's, for the pages that do without it. While it works it takes no presses, and keeps the focus. */
export function Button({
  kind = "plain",
  size = "normal",
  isBusy = false,
  onClick,
  children,
  ...button
}: {
  kind?: "primary" | "plain";
  size?: "normal" | "small";
  isBusy?: boolean;
} & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      {...button}
      className={styles.button}
      data-kind={kind}
      data-size={size}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy && <Icon of={LoadingOutlined} spins />}
      {children}
    </button>
  );
}
