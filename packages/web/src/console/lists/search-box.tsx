import { SearchOutlined } from "@ant-design/icons";
import { Input } from "antd";
import { useEffect, useState } from "react";

/** How long a person may pause between two letters before the list is asked for. */
const PAUSE_MS = 300;
const MAX_LENGTH = 64;

/** A field that narrows a list while one types. */
export function SearchBox({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      prefix={<SearchOutlined />}
      value={text}
      maxLength={MAX_LENGTH}
      onChange={({ target }) => setText(target.value)}
      allowClear
      style={{ width: 260, maxWidth: "100%" }}
    />
  );
}
