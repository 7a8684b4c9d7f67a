import { Button, Input } from "antd";
import { useEffect, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import type { AddressChange } from "../lists/address.ts";
import { FilterSelect } from "../lists/filter-select.tsx";
import filters from "../lists/filters.module.css";
import { TimeRangeFilter } from "../lists/time-range-filter.tsx";
import { LISTS } from "../lists/words.ts";
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
  const sayLists = useWords(LISTS);
  const { status, method, code, path, range } = filter;
  const statuses = [...new Set([...STATUSES, ...(status === undefined ? [] : [status])])];
  return (
    <>
      <FilterSelect<string>
        label={say("status")}
        all={say("anyStatus")}
        value={status}
        options={statuses.map((value) => ({ value, label: value }))}
        onChange={(value) => onChange({ status: value })}
      />
      <FilterSelect<(typeof METHODS)[number]>
        label={say("method")}
        all={say("anyMethod")}
        value={method}
        options={METHODS.map((value) => ({ value, label: value }))}
        onChange={(value) => onChange({ method: value })}
      />
      <TypedFilter
        label={say("path")}
        value={path}
        className={filters.path}
        onChange={(value) => onChange({ path: value })}
      />
      <TypedFilter
        label={say("code")}
        value={code}
        className={filters.code}
        onChange={(value) => onChange({ code: value })}
      />
      <TimeRangeFilter range={range} onChange={onChange} />
      {isNarrowed(filter) && (
        <Button type="text" onClick={() => onChange(NO_FILTER)}>
          {sayLists("clearFilters")}
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
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  className: string | undefined;
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
