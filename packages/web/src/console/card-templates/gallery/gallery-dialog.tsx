import { useWords } from "../../../shared/words/words.ts";
import { Modal } from "../../ui/modal.tsx";
import { TEMPLATES } from "../words.ts";
import type { Example } from "./examples.ts";
import { Gallery } from "./gallery.tsx";

/** The examples, over the page. */
export function GalleryDialog({ onChoose, onClose }: { onChoose: (example: Example) => void; onClose: () => void }) {
  const say = useWords(TEMPLATES);
  return (
    <Modal title={say("examples")} width={980} footer={null} onCancel={onClose}>
      <p>{say("examplesLead")}</p>
      <Gallery onChoose={onChoose} />
    </Modal>
  );
}
