import type { CardChange, ChangeKind, Conversion } from "@portico/protocol/cards/convert";
import { Alert, Button } from "antd";
import { useWords } from "../../../shared/words/words.ts";
import styles from "./conversion-notice.module.css";
import type { Editing } from "./editing.ts";
import { STUDIO } from "./words.ts";

const WORDS = {
  unwrapped: "changeUnwrapped",
  older: "changeOlder",
  replaced: "changeReplaced",
  dropped: "changeDropped",
  moved: "changeMoved",
  unlinked: "changeUnlinked",
  pictures: "changePictures",
  variables: "changeVariables",
} as const satisfies Record<ChangeKind, string>;

/** Says what a conversion changed, and takes it back. */
export function ConversionNotice({ conversion, editing }: { conversion: Conversion; editing: Editing }) {
  const say = useWords(STUDIO);
  const sayChange = ({ kind, from, to, count }: CardChange) => say(WORDS[kind], { from, to, count });
  return (
    <Alert
      type="info"
      role="status"
      closable={{ onClose: editing.dismiss }}
      title={say("converted")}
      description={
        <ul className={styles.changes}>
          {conversion.changes.map((change) => (
            <li key={`${change.kind}-${change.from}-${change.to}`}>{sayChange(change)}</li>
          ))}
        </ul>
      }
      action={
        <Button size="small" onClick={editing.undoConversion}>
          {say("undo")}
        </Button>
      }
    />
  );
}
