import { Dialog } from "../../shared/ui/dialog.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";
import { SHORTCUTS } from "./shortcuts.ts";
import styles from "./shortcuts-dialog.module.css";

const WORDS = {
  next: "keyNext",
  previous: "keyPrevious",
  oldest: "keyOldest",
  accept: "keyAccept",
  transfer: "keyTransfer",
  close: "keyClose",
  note: "keyNote",
  write: "keyWrite",
  search: "keySearch",
  online: "keyOnline",
} as const;

/** What can be done by the keyboard. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(DESK);
  return (
    <Dialog title={say("shortcuts")} onClose={onClose}>
      <dl className={styles.list}>
        {(Object.keys(SHORTCUTS) as (keyof typeof SHORTCUTS)[]).map((name) => (
          <Row key={name} word={say(WORDS[name])} keys={SHORTCUTS[name].keys.split(" ")} />
        ))}
        <Row word={say("keyCanned")} keys={["/"]} />
        <Row word={say("keyHelp")} keys={["?"]} />
      </dl>
    </Dialog>
  );
}

function Row({ word, keys }: { word: string; keys: readonly string[] }) {
  return (
    <>
      <dt>{word}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </>
  );
}
