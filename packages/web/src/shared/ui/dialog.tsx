import { CloseOutlined } from "@ant-design/icons-svg";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./dialog.module.css";
import { Icon } from "./icon.tsx";

/**
 * A window over the page: the browser keeps the focus in it, Escape closes it. It is there as long as it is drawn. The focus
 * begins at the element with `data-first-focus`, else at the button that closes.
 */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const say = useWords(SHARED);
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: so the browser gives the focus back to what had it before.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // React's own focusing comes too early: what is not shown takes none.
    dialog?.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles.header}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <button type="button" className={styles.close} aria-label={say("close")} onClick={onClose}>
          <Icon of={CloseOutlined} />
        </button>
      </header>
      {children}
    </dialog>
  );
}
