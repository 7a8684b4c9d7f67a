/** What an agent does without the mouse. Each is pressed together with Alt, but for the list of them. */
export const SHORTCUTS = {
  next: { code: "ArrowDown", keys: "Alt ↓" },
  previous: { code: "ArrowUp", keys: "Alt ↑" },
  oldest: { code: "KeyO", keys: "Alt O" },
  accept: { code: "KeyA", keys: "Alt A" },
  transfer: { code: "KeyT", keys: "Alt T" },
  close: { code: "KeyW", keys: "Alt W" },
  note: { code: "KeyN", keys: "Alt N" },
  write: { code: "KeyM", keys: "Alt M" },
  search: { code: "KeyS", keys: "Alt S" },
  online: { code: "KeyL", keys: "Alt L" },
} as const;

export type Shortcut = keyof typeof SHORTCUTS;

const NAMES = Object.keys(SHORTCUTS) as Shortcut[];

/** The shortcut that was pressed; null for any other key. By the place of the key: with Alt, a Mac types other letters. */
export function shortcutOf({
  code,
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">): Shortcut | null {
  if (!altKey || ctrlKey || metaKey || shiftKey) return null;
  return NAMES.find((name) => SHORTCUTS[name].code === code) ?? null;
}
