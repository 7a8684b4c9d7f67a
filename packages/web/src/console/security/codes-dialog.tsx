import { Button } from "antd";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { RecoveryCodes } from "../second-factor/recovery-codes.tsx";
import { SECOND_FACTOR } from "../second-factor/words.ts";
import { Modal } from "../ui/modal.tsx";

/** Shows recovery codes this once; it goes only by its button, so that they are not lost by accident. */
export function CodesDialog({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const say = useWords(SECOND_FACTOR);
  const sayShared = useWords(SHARED);
  return (
    <Modal
      title={say("codesTitle")}
      width={520}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onStored}>
          {sayShared("stored")}
        </Button>
      }
    >
      <RecoveryCodes codes={codes} />
    </Modal>
  );
}
