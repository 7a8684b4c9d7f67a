import { CloseOutlined, FileOutlined } from "@ant-design/icons-svg";
import { LIMITS } from "@portico/protocol/limits";
import { plainName } from "../../text/plain-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import styles from "./attachment-list.module.css";
import { type Attachments, MAX_ATTACHMENTS } from "./use-attachments.ts";

/** The files that are to be sent, each with a button that takes it out. */
export function AttachmentList({ attachments }: { attachments: Attachments }) {
  const say = useWords(TALK);
  const format = useFormat();
  const { items, refusal, remove } = attachments;
  return (
    <>
      {refusal !== null && (
        <p role="alert" className={styles.refusal}>
          {refusal.kind === "tooMany"
            ? say("tooManyFiles", { count: MAX_ATTACHMENTS })
            : say("fileTooLarge", { name: refusal.name, size: format.bytes(LIMITS.uploadFileBytes) })}
        </p>
      )}
      {items.length > 0 && (
        <ul className={styles.list}>
          {items.map(({ key, file, preview }) => (
            <li key={key} className={styles.item}>
              {preview === null ? <Icon of={FileOutlined} className={styles.icon} /> : <img src={preview} alt="" />}
              <span className={styles.name} title={plainName(file.name)}>
                {plainName(file.name)}
              </span>
              <button type="button" aria-label={say("remove", { name: file.name })} onClick={() => remove(key)}>
                <Icon of={CloseOutlined} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
