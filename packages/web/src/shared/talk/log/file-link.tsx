import { DownloadOutlined, FileOutlined } from "@ant-design/icons-svg";
import type { FileContent } from "../../text/file-content.ts";
import { endingOf } from "../../text/plain-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import styles from "./file-link.module.css";

/** A file in a message, with its size; a click downloads it. */
export function FileLink({ file }: { file: FileContent }) {
  const say = useWords(TALK);
  const format = useFormat();
  // The line cuts a long name where its ending is.
  const ending = endingOf(file.fileName);
  return (
    <a className={styles.file} href={file.url} download={file.fileName}>
      <span className="visually-hidden">{say("download")} </span>
      <Icon of={FileOutlined} className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.name} dir="auto">
          {file.fileName}
        </span>
        <span className={styles.size}>
          {ending !== "" && `${ending} · `}
          {format.bytes(file.size)}
        </span>
      </span>
      <Icon of={DownloadOutlined} className={styles.arrow} />
    </a>
  );
}
