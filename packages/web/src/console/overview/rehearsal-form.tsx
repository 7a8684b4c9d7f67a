import { REHEARSAL, REHEARSED_FAULTS, type RehearsedFault } from "@portico/protocol";
import { Form, Input, Select } from "antd";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { FormButtons } from "../ui/form-buttons.tsx";
import styles from "./profile-section.module.css";
import { useRehearsalChange } from "./rehearsal-queries.ts";
import { REHEARSAL_WORDS } from "./rehearsal-words.ts";

type NumberName = keyof typeof REHEARSAL;
type Values = { fault: RehearsedFault } & Partial<Record<NumberName, string>>;

/** Asks which fault comes, how often, and for how long. */
export function RehearsalForm({
  appId,
  onArmed,
  onCancel,
}: {
  appId: string;
  onArmed: () => void;
  onCancel: () => void;
}) {
  const say = useWords(REHEARSAL_WORDS);
  const arm = useRehearsalChange(
    appId,
    (values: Values) => consoleApi.armRehearsal({ params: { appId }, body: bodyOf(values) }),
    onArmed,
  );
  return (
    <Form<Values>
      className={styles.form}
      layout="vertical"
      requiredMark={false}
      initialValues={{
        fault: REHEARSED_FAULTS[0],
        times: String(REHEARSAL.times.default),
        minutes: String(REHEARSAL.minutes.default),
        delayMs: String(REHEARSAL.delayMs.default),
      }}
      onFinish={(values) => {
        if (!arm.isPending) arm.mutate(values);
      }}
    >
      <Form.Item name="fault" label={say("fault")}>
        <Select
          autoFocus
          aria-label={say("fault")}
          options={REHEARSED_FAULTS.map((fault) => ({ value: fault, label: say(fault) }))}
        />
      </Form.Item>
      <NumberField name="times" />
      <NumberField name="minutes" />
      <Form.Item noStyle dependencies={["fault"]}>
        {({ getFieldValue }) => getFieldValue("fault") === "CALL_SLOW" && <NumberField name="delayMs" />}
      </Form.Item>
      {arm.isError && <ErrorNotice error={arm.error} />}
      <FormButtons isPending={arm.isPending} onCancel={onCancel} />
    </Form>
  );
}

function NumberField({ name }: { name: NumberName }) {
  const say = useWords(REHEARSAL_WORDS);
  const { most } = REHEARSAL[name];
  return (
    <Form.Item
      name={name}
      label={say(name)}
      validateTrigger="onSubmit"
      rules={[
        {
          async validator(_, text: string) {
            const number = Number(text);
            if (!/^\d+$/.test(text) || number < 1 || number > most) throw new Error(say("outOfRange", { most }));
          },
        },
      ]}
    >
      <Input inputMode="numeric" autoComplete="off" />
    </Form.Item>
  );
}

function bodyOf({ fault, times, minutes, delayMs }: Values) {
  return {
    fault,
    times: Number(times),
    minutes: Number(minutes),
    ...(fault === "CALL_SLOW" && { delayMs: Number(delayMs) }),
  };
}
