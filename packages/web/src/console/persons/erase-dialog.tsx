import { useMutation } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import { type ReactNode, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import styles from "./persons.module.css";
import { PERSONS } from "./words.ts";

interface Fields {
  typed: string;
}

/**
 * Erases somebody, once their name has been typed: nobody erases a person by a click too many. Then it stays and tells what
 * has been erased.
 */
export function EraseDialog<Erasure>({
  name,
  what,
  erase,
  report,
  isRunning = false,
  onDone,
}: {
  /** What has to be typed. */
  name: string;
  /** What will happen, a line each. */
  what: readonly string[];
  erase: () => Promise<Erasure>;
  report: (erasure: Erasure) => ReactNode;
  /** Whether there is more to be erased, which goes on by itself. */
  isRunning?: boolean;
  onDone: () => void;
}) {
  const say = useWords(PERSONS);
  const [erasure, setErasure] = useState<{ done: Erasure } | null>(null);
  const run = useMutation({ mutationFn: erase, onSuccess: (done) => setErasure({ done }) });
  if (erasure !== null) {
    return (
      <Modal
        title={say(isRunning ? "erasingTitle" : "erasedTitle", { name })}
        width={480}
        mask={{ closable: false }}
        onCancel={onDone}
        footer={
          <Button type="primary" onClick={onDone}>
            {say(isRunning ? "close" : "done")}
          </Button>
        }
      >
        {report(erasure.done)}
      </Modal>
    );
  }
  return (
    <FormDialog<Fields>
      title={say("eraseTitle", { name })}
      action={say("erase")}
      isDangerous
      isPending={run.isPending}
      error={run.error}
      onSubmit={() => run.mutate()}
      onCancel={onDone}
    >
      <ul className={styles.what}>
        {what.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className={styles.last}>
        <strong>{say("forGood")}</strong>
      </p>
      <Form.Item
        name="typed"
        label={say("typeName", { name })}
        validateTrigger="onSubmit"
        rules={[
          {
            validator: async (_rule, typed: unknown) => {
              if (String(typed ?? "").trim() !== name.trim()) throw new Error(say("notTheName"));
            },
          },
        ]}
      >
        <Input autoComplete="off" autoFocus spellCheck={false} />
      </Form.Item>
    </FormDialog>
  );
}
