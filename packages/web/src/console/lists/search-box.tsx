import { SearchOutlined } from "@ant-design/icons-svg";
import { Input } from "antd";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import styles from "./filters.module.css";
import { useSettled } from "./use-settled.ts";

const MAX_LENGTH = 64;

/** A field that narrows a list while one types; it follows the address when that changes by other ways. */
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
  const settled = useSettled(text.trim());
  const sent = useRef(value);
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (settled === sent.current) return;
    sent.current = settled;
    search.current(settled);
  }, [settled]);
  return (
    <Input
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={label}
      prefix={<Icon of={SearchOutlined} />}
      value={text}
      maxLength={MAX_LENGTH}
      onChange={({ target }) => setText(target.value)}
      allowClear
    />
  );
}
