/** What an agent does without the mouse. Each is pressed together with Alt, but for the list of them. */
export const SHORTCUTS = {
  next: { code: "ArrowDown", key: "↓" },
  previous: { code: "ArrowUp", key: "↑" },
  oldest: { code: "KeyO", key: "O" },
  accept: { code: "KeyA", key: "A" },
  transfer: { code: "KeyT", key: "T" },
  close: { code: "KeyW", key: "W" },
  note: { code: "KeyN", key: "N" },
  write: { code: "KeyM", key: "M" },
  search: { code: "KeyS", key: "S" },
  online: { code: "KeyL", key: "L" },
  help: { code: "KeyH", key: "H" },
} as const;

export type Shortcut = keyof typeof SHORTCUTS;

const NAMES = Object.keys(SHORTCUTS) as Shortcut[];

/** Where a key was pressed. */
interface KeyPlace {
  /** On a Mac, Alt and a letter type another letter. */
  isMac: boolean;
  /** Whether somebody writes there. */
  isField: boolean;
}

/**
 * The shortcut that was pressed; null for any other key. By the place of the key: with Alt, a Mac types other letters. So
 * that those can be written, a Mac wants Ctrl too for a letter in a field; elsewhere Ctrl and Alt are AltGr, which also types.
 */
export function shortcutOf(
  {
    code,
    altKey,
    ctrlKey,
    metaKey,
    shiftKey,
  }: Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">,
  { isMac, isField }: KeyPlace,
): Shortcut | null {
  if (!altKey || metaKey || shiftKey || (ctrlKey && !isMac)) return null;
  const name = NAMES.find((each) => SHORTCUTS[each].code === code) ?? null;
  const isTyped = isMac && isField && !ctrlKey && code.startsWith("Key");
  return isTyped ? null : name;
}

/** The keys of a shortcut, as they are written on this kind of keyboard. */
export function keysOf(name: Shortcut, isMac: boolean): string[] {
  return [...(isMac ? ["⌃", "⌥"] : ["Alt"]), SHORTCUTS[name].key];
}

/** Whether this is a Mac, or an iPad with a keyboard of the same kind. */
export function isOnMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
