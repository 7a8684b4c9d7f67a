import { SearchOutlined } from "@ant-design/icons-svg";
import { Input } from "antd";
import { useEffect, useState } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import filters from "../lists/filters.module.css";
import { isReqNo } from "./request-filter.ts";

/** Finds a call by its number: at once when a whole number is pasted, otherwise with Enter. */
export function RequestSearch({
  value = "",
  onSearch,
}: {
  value: string | undefined;
  onSearch: (reqNo: string) => void;
}) {
  const say = useWords(SHARED);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <Input
      type="search"
      className={filters.search}
      aria-label={say("requestNumber")}
      placeholder={say("requestNumber")}
      prefix={<Icon of={SearchOutlined} />}
      value={typed}
      spellCheck={false}
      onChange={({ target }) => {
        const text = target.value.trim();
        setTyped(target.value);
        if (text === "" || isReqNo(text)) onSearch(text);
      }}
      onPressEnter={() => onSearch(typed.trim())}
    />
  );
}
