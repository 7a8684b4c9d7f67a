import { useState } from "react";
import type { FileContent } from "../../text/file-content.ts";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import { useLightbox } from "./lightbox.tsx";
import styles from "./picture.module.css";

const MAX_WIDTH = 360;
const MAX_HEIGHT = 320;

/** A picture in a message, in the place that its size reserves; a click shows all of it. */
export function Picture({ file }: { file: FileContent }) {
  const say = useWords(TALK);
  const show = useLightbox();
  const [isGone, setGone] = useState(false);
  const { width, height } = sizeOf(file);
  const label = say("picture", { name: file.fileName });
  if (isGone) {
    return (
      <div className={styles.gone} style={{ width, height }}>
        {say("pictureGone")}
      </div>
    );
  }
  return (
    <button type="button" className={styles.thumbnail} aria-label={label} onClick={() => show(file)}>
      <img
        src={file.url}
        alt={file.fileName}
        width={width}
        height={height}
        loading="lazy"
        onError={() => setGone(true)}
      />
    </button>
  );
}

/** As large as it is, but no larger than a message may be; a square where the sender did not say. */
function sizeOf({ width, height }: FileContent): { width: number; height: number } {
  if (width === 0 || height === 0) return { width: 240, height: 240 };
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  return { width: Math.max(24, Math.round(width * scale)), height: Math.max(24, Math.round(height * scale)) };
}
