import { Select } from "antd";

/** Narrows a list to one value; the first choice is all. */
export function FilterSelect<Value extends string>({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string;
  all: string;
  value: Value | undefined;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value | undefined) => void;
}) {
  return (
    <Select<Value | "">
      aria-label={label}
      value={value ?? ""}
      onChange={(chosen) => onChange(chosen === "" ? undefined : chosen)}
      options={[{ value: "", label: all }, ...options]}
      popupMatchSelectWidth={false}
      style={{ minWidth: 140 }}
    />
  );
}
