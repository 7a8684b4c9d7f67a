import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import styles from "./menu.module.css";

/** Something in a menu: a thing to do, a choice of several, a heading, a line. */
export type MenuEntry =
  | { kind: "action"; key: string; label: ReactNode; onChoose: () => void }
  | { kind: "choice"; key: string; label: ReactNode; isChosen: boolean; onChoose: () => void }
  | { kind: "text"; key: string; content: ReactNode }
  | { kind: "line"; key: string };

/**
 * A button that opens a menu (WAI-ARIA menu button pattern): arrow keys move, Escape closes, the focus goes back to the
 * button.
 */
export function MenuButton({
  label,
  entries,
  className,
  children,
}: {
  /** The button's accessible name. */
  label: string;
  entries: readonly MenuEntry[];
  className?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    itemsOf(menu.current)[0]?.focus();
    const closeOutside = ({ target }: PointerEvent) => {
      const isInside = target instanceof Node && (menu.current?.contains(target) || button.current?.contains(target));
      if (!isInside) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [isOpen]);

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close();
      return;
    }
    const to = targetOf(event.key, itemsOf(menu.current));
    if (to === undefined) return;
    event.preventDefault();
    to.focus();
  }

  return (
    <div className={styles.anchor}>
      <button
        ref={button}
        type="button"
        className={`${styles.button} ${className ?? ""}`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div ref={menu} id={id} role="menu" aria-label={label} className={styles.menu} onKeyDown={onKeyDown}>
          {entries.map((entry) => (
            <Entry key={entry.key} entry={entry} onDone={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function Entry({ entry, onDone }: { entry: MenuEntry; onDone: () => void }) {
  if (entry.kind === "line") return <hr className={styles.line} />;
  if (entry.kind === "text") {
    return (
      <div role="presentation" className={styles.text}>
        {entry.content}
      </div>
    );
  }
  const choose = () => {
    onDone();
    entry.onChoose();
  };
  if (entry.kind === "action") {
    return (
      <button type="button" role="menuitem" tabIndex={-1} className={styles.item} onClick={choose}>
        {entry.label}
      </button>
    );
  }
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={entry.isChosen}
      tabIndex={-1}
      className={styles.item}
      onClick={choose}
    >
      {entry.label}
    </button>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
}

function targetOf(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1;
  switch (key) {
    case "ArrowDown":
      return items[(at + 1) % items.length];
    case "ArrowUp":
      return items.at(at - 1);
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    default:
      return undefined;
  }
}
