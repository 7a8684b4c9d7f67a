import { Select } from "antd";
import type { OperationName } from "../../shared/calls/snippets/snippet-call.ts";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useWords } from "../../shared/words/words.ts";
import { endpointOf } from "./built-call.ts";
import styles from "./explorer.module.css";
import { summaryIn } from "./hints.ts";
import { OPERATIONS } from "./operations.ts";
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
  const { locale } = usePreferences();
  return (
    <Select<OperationName>
      id={id}
      value={value}
      onChange={onChange}
      showSearch={{
        filterOption: (typed, option) =>
          `${option?.label} ${option?.summary ?? ""}`.toLowerCase().includes(typed.toLowerCase()),
      }}
      options={OPERATIONS.map(({ word, names }) => ({
        label: say(word),
        options: names.map((name) => {
          const { method, path } = endpointOf(name);
          return {
            value: name,
            label: `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
            summary: summaryIn(locale, name),
          };
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
