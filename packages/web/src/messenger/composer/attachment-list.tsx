import { CloseOutlined, FileOutlined } from "@ant-design/icons";
import { LIMITS } from "@portico/protocol/limits";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";
import styles from "./attachment-list.module.css";
import type { Attachment } from "./use-attachments.ts";

/** The files that are to be sent, each with a button that takes it out. */
export function AttachmentList({
  items,
  refusal,
  onRemove,
}: {
  items: readonly Attachment[];
  refusal: { name: string } | null;
  onRemove: (key: string) => void;
}) {
  const say = useWords(MESSENGER);
  const format = useFormat();
  return (
    <>
      {refusal !== null && (
        <p role="alert" className={styles.refusal}>
          {say("fileTooLarge", { name: refusal.name, size: format.bytes(LIMITS.uploadFileBytes) })}
        </p>
      )}
      {items.length > 0 && (
        <ul className={styles.list}>
          {items.map(({ key, file, preview }) => (
            <li key={key} className={styles.item}>
              {preview === null ? <FileOutlined className={styles.icon} /> : <img src={preview} alt="" />}
              <span className={styles.name} title={file.name}>
                {file.name}
              </span>
              <button type="button" aria-label={say("remove", { name: file.name })} onClick={() => onRemove(key)}>
                <CloseOutlined />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
