import { useState } from "react";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";
import { isOnMac, keysOf, SHORTCUTS, type Shortcut } from "./shortcuts.ts";
import styles from "./shortcuts-dialog.module.css";
import { singleKeys } from "./use-shortcut.ts";
import { SHORTCUT_WORDS } from "./words.ts";

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
  help: "keyHelp",
} as const;

/** What can be done by the keyboard. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(SHORTCUT_WORDS);
  const sayTitle = useWords(DESK);
  const [hasSingle, setSingle] = useState(singleKeys.areOn);
  const isMac = isOnMac();
  return (
    <Dialog title={sayTitle("shortcuts")} onClose={onClose}>
      <dl className={styles.list}>
        {(Object.keys(SHORTCUTS) as Shortcut[]).map((name) => (
          <Row key={name} word={say(WORDS[name])} keys={keysOf(name, isMac)} />
        ))}
        <Row word={say("keyCanned")} keys={["/"]} />
        {hasSingle && <Row word={say("keyHelp")} keys={["?"]} />}
      </dl>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={hasSingle}
          onChange={({ target }) => {
            singleKeys.areOn = target.checked;
            setSingle(target.checked);
          }}
        />
        <span>
          {say("singleKeys")} <span className={styles.hint}>{say("singleKeysHint")}</span>
        </span>
      </label>
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
