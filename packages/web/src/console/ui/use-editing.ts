import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether a section is being edited in its place, and the button that begins it. */
export interface Editing {
  isEditing: boolean;
  begin: () => void;
  end: () => void;
  /** For the button that begins it, which is away meanwhile: the focus comes back to it. */
  button: RefObject<HTMLButtonElement | null>;
}

/** Lets a section take turns with its form; whoever uses a keyboard goes on where they began. */
export function useEditing(): Editing {
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus({ preventScroll: true });
    wasEditing.current = isEditing;
  }, [isEditing]);
  return { isEditing, begin: () => setEditing(true), end: () => setEditing(false), button };
}
