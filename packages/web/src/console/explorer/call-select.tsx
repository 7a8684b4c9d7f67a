import { Select } from "antd";
import { useWords } from "../../shared/words/words.ts";
import { endpointOf } from "./built-call.ts";
import styles from "./explorer.module.css";
import { OPERATIONS } from "./operations.ts";
import type { OperationName } from "./snippets/snippet-call.ts";
import { EXPLORER } from "./words.ts";

/** Chooses a call, by its name, its path or what it does. */
export function CallSelect({
  id,
  value,
  onChange,
}: {
  id: string;
  value: OperationName;
  onChange: (operation: OperationName) => void;
}) {
  const say = useWords(EXPLORER);
  return (
    <Select<OperationName>
      id={id}
      value={value}
      onChange={onChange}
      showSearch={{
        filterOption: (typed, option) => `${option?.label}`.toLowerCase().includes(typed.toLowerCase()),
      }}
      options={OPERATIONS.map(({ word, names }) => ({
        label: say(word),
        options: names.map((name) => {
          const { method, path, summary } = endpointOf(name);
          return { value: name, label: `${method} ${path.replace(/:(\w+)/g, "{$1}")}`, summary };
        }),
      }))}
      optionRender={({ data, label }) => (
        <div className={styles.option}>
          <code>{label}</code>
          <span>{data.summary}</span>
        </div>
      )}
    />
  );
}
