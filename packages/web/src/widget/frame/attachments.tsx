/** @jsxImportSource preact */
import { plainName } from "../../shared/text/plain-name.ts";
import type { Choice } from "./choose-files.ts";
import styles from "./composer.module.css";
import { Icon } from "./icon.tsx";
import { usePreview } from "./outgoing-bubble.tsx";
import { useSpeech } from "./widget-context.ts";

/** So many files that were left out are named; of the others only their number is told. */
const MOST_NAMED = 4;

/** The files that go with the message. */
export function Attachments({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  if (files.length === 0) return null;
  return (
    <ul class={styles.files}>
      {files.map((file) => (
        <Chip key={`${file.name} ${file.lastModified} ${file.size}`} file={file} onRemove={() => onRemove(file)} />
      ))}
    </ul>
  );
}

/** Which files were left out, and why. */
export function LeftOutFiles({ leftOut }: Pick<Choice, "leftOut">) {
  const { words } = useSpeech();
  const rest = leftOut.length - MOST_NAMED;
  return (
    <>
      {leftOut.slice(0, MOST_NAMED).map((file) => (
        <p key={file}>{words[file.why](plainName(file.name))}</p>
      ))}
      {rest > 0 && <p>{words.moreLeftOut(rest)}</p>}
    </>
  );
}

function Chip({ file, onRemove }: { file: File; onRemove: () => void }) {
  const { words } = useSpeech();
  const preview = usePreview(file);
  const name = plainName(file.name);
  return (
    <li class={styles.chip}>
      {preview === null ? <Icon of="file" /> : <img src={preview} alt="" />}
      <span title={name}>{name}</span>
      <button type="button" aria-label={words.removeFile(name)} onClick={onRemove}>
        <Icon of="close" />
      </button>
    </li>
  );
}
