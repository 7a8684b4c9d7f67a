import { CheckCircleFilled } from "@ant-design/icons-svg";
import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import styles from "./toasts.module.css";

/** How long a word stays, and how many are shown at a time. */
const SHOWN_MS = 4_000;
const MOST_SHOWN = 3;

const ToastContext = createContext<(text: string) => void>(() => {});

/** Says that something was done, for a moment, above whatever is shown then. */
export function useToast(): (text: string) => void {
  return use(ToastContext);
}

/** Shows what the pages inside say by `useToast`. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: number; text: string }[]>([]);
  const nextId = useRef(0);
  const show = useCallback((text: string) => {
    const id = nextId.current++;
    setToasts((shown) => [...shown.slice(1 - MOST_SHOWN), { id, text }]);
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div role="status" className={styles.toasts}>
        {toasts.map(({ id, text }) => (
          <p key={id} className={styles.toast}>
            <Icon of={CheckCircleFilled} className={styles.icon} />
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}
