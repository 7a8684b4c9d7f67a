import { Button, Input, Select } from "antd";
import { useEffect, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import log from "../log/log.module.css";
import { TimeRangeFilter } from "../log/time-range-filter.tsx";
import type { AddressChange } from "../log/use-address.ts";
import { LOG } from "../log/words.ts";
import { isNarrowed, METHODS, NO_FILTER, type RequestFilter, STATUSES } from "./request-filter.ts";
import { REQUESTS } from "./words.ts";

/** What narrows the list of calls. */
export function RequestFilters({
  filter,
  onChange,
}: {
  filter: RequestFilter;
  onChange: (changes: AddressChange) => void;
}) {
  const say = useWords(REQUESTS);
  const sayLog = useWords(LOG);
  const { status, method, code, path, range } = filter;
  // Another filter means another list: from its newest call on.
  const narrow = (changes: AddressChange) => onChange({ ...changes, before: undefined });
  return (
    <>
      <Select
        aria-label={say("status")}
        value={status ?? ""}
        popupMatchSelectWidth={false}
        options={[
          { value: "", label: say("anyStatus") },
          ...[...new Set([...STATUSES, ...(status === undefined ? [] : [status])])].map((value) => ({
            value,
            label: value,
          })),
        ]}
        onChange={(value) => narrow({ status: value })}
      />
      <Select
        aria-label={say("method")}
        value={method ?? ""}
        popupMatchSelectWidth={false}
        options={[{ value: "", label: say("anyMethod") }, ...METHODS.map((value) => ({ value, label: value }))]}
        onChange={(value) => narrow({ method: value })}
      />
      <TypedFilter
        label={say("path")}
        value={path}
        className={log.path}
        onChange={(value) => narrow({ path: value })}
      />
      <TypedFilter label={say("code")} value={code} width={110} onChange={(value) => narrow({ code: value })} />
      <TimeRangeFilter range={range} onChange={narrow} />
      {isNarrowed(filter) && (
        <Button type="text" onClick={() => onChange(NO_FILTER)}>
          {sayLog("clearFilters")}
        </Button>
      )}
    </>
  );
}

/** A filter that is typed; it applies with Enter, and when it is left. */
function TypedFilter({
  label,
  value = "",
  onChange,
  className,
  width,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  className?: string | undefined;
  width?: number;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = () => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <Input
      aria-label={label}
      placeholder={label}
      className={className}
      {...(width !== undefined && { style: { width } })}
      value={typed}
      allowClear
      spellCheck={false}
      onChange={({ target, type }) => {
        setTyped(target.value);
        if (type === "click") onChange("");
      }}
      onPressEnter={apply}
      onBlur={apply}
    />
  );
}
