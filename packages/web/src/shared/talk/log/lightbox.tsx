import { CloseOutlined } from "@ant-design/icons-svg";
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";
import type { FileContent } from "../../text/file-content.ts";
import { Icon } from "../../ui/icon.tsx";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import styles from "./lightbox.module.css";

const ShowContext = createContext<(file: FileContent) => void>(() => {});

/** Shows all of a picture over the page. */
export function useLightbox(): (file: FileContent) => void {
  return useContext(ShowContext);
}

/** Shows a picture for those inside. It is not a part of the message, whose row goes when it leaves the view. */
export function LightboxProvider({ children }: { children: ReactNode }) {
  const [file, setFile] = useState<FileContent | null>(null);
  return (
    <ShowContext value={setFile}>
      {children}
      {file !== null && <Lightbox file={file} onClose={() => setFile(null)} />}
    </ShowContext>
  );
}

function Lightbox({ file, onClose }: { file: FileContent; onClose: () => void }) {
  const say = useWords(TALK);
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: so the browser gives the focus back to what had it before.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.lightbox}
      aria-label={say("picture", { name: file.fileName })}
      onClose={onClose}
    >
      <button
        type="button"
        className={styles.close}
        aria-label={say("closePicture")}
        onClick={() => dialog.current?.close()}
      >
        <Icon of={CloseOutlined} />
      </button>
      <img src={file.url} alt={file.fileName} />
    </dialog>
  );
}
