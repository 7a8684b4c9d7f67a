import { Button, Input, InputNumber, Select } from "antd";
import { type ReactNode, useId } from "react";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./explorer.module.css";
import { hintIn } from "./hints.ts";
import { JsonField } from "./json-field.tsx";
import { asObject, type Field, type Member, withMember } from "./schema-field.ts";
import { EXPLORER } from "./words.ts";

interface Control<Of extends Field = Field> {
  field: Of;
  /** Undefined where it is left out. */
  value: unknown;
  onChange: (value: unknown) => void;
  id: string;
  name: string;
}

/** The members of an object, each with what it is for. */
export function MemberFields({
  members,
  value,
  onChange,
}: {
  members: readonly Member[];
  value: unknown;
  onChange: (value: Record<string, unknown>) => void;
}) {
  const id = useId();
  return members.map((member) => (
    <MemberField
      key={member.name}
      id={`${id}${member.name}`}
      member={member}
      value={asObject(value)[member.name]}
      onChange={(next) => onChange(withMember(value, member.name, next))}
    />
  ));
}

function MemberField({
  member: { name, isRequired, field },
  ...control
}: {
  member: Member;
  value: unknown;
  onChange: (value: unknown) => void;
  id: string;
}) {
  return (
    <FieldFrame id={control.id} name={name} isRequired={isRequired} hint={field.description}>
      <FieldControl {...control} field={field} name={name} />
    </FieldFrame>
  );
}

/** A label, what is asked for, and the help below it. */
export function FieldFrame({
  id,
  name,
  isRequired,
  hint,
  children,
}: {
  id: string;
  name: string;
  isRequired: boolean;
  hint: string | undefined;
  children: ReactNode;
}) {
  const say = useWords(EXPLORER);
  const { locale } = usePreferences();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        <code>{name}</code>
        {!isRequired && <span className={styles.quiet}> {say("optional")}</span>}
      </label>
      {children}
      {hint && <span className={styles.hint}>{hintIn(locale, hint)}</span>}
    </div>
  );
}

function FieldControl({ field, ...control }: Control) {
  const { id, value, onChange } = control;
  switch (field.kind) {
    case "text":
      return (
        <Input
          id={id}
          value={typeof value === "string" ? value : ""}
          placeholder={field.usual}
          maxLength={field.maxLength}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        />
      );
    case "number":
      return (
        <InputNumber
          id={id}
          value={typeof value === "number" ? value : null}
          placeholder={field.usual}
          min={field.min}
          max={field.max}
          precision={field.isWhole ? 0 : undefined}
          controls={false}
          className={styles.wide}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case "choice":
      return <Choice field={field} {...control} />;
    case "group":
      return (
        <div className={styles.group}>
          <MemberFields members={field.members} value={value} onChange={onChange} />
        </div>
      );
    case "list":
      return <List field={field} {...control} />;
    case "either":
      return <Either field={field} {...control} />;
    case "json":
      return <JsonField id={id} name={control.name} value={value} onChange={onChange} />;
  }
}

function Choice({ field, id, value, onChange }: Control<Extract<Field, { kind: "choice" }>>) {
  const say = useWords(EXPLORER);
  const chosen = field.values.indexOf(value);
  return (
    <Select
      id={id}
      value={chosen === -1 ? undefined : chosen}
      placeholder={field.usual ?? say("leaveOut")}
      allowClear
      options={field.values.map((each, index) => ({
        value: index,
        label: typeof each === "string" ? each : JSON.stringify(each),
      }))}
      onChange={(index: number | undefined) => onChange(index === undefined ? undefined : field.values[index])}
    />
  );
}

function List({ field, id, name, value, onChange }: Control<Extract<Field, { kind: "list" }>>) {
  const say = useWords(EXPLORER);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div className={styles.group}>
      {items.map((item, index) => {
        const itemName = say("item", { name, number: index + 1 });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
          <div key={index} className={styles.item}>
            <FieldFrame id={`${id}-${index}`} name={itemName} isRequired hint={field.item.description}>
              <FieldControl
                field={field.item}
                id={`${id}-${index}`}
                name={itemName}
                value={item}
                onChange={(next) => onChange(items.with(index, next ?? null))}
              />
            </FieldFrame>
            <Button
              size="small"
              aria-label={`${say("remove")} ${itemName}`}
              onClick={() => onChange(items.toSpliced(index, 1))}
            >
              {say("remove")}
            </Button>
          </div>
        );
      })}
      <Button
        id={id}
        size="small"
        data-repeated
        aria-label={`${say("add")} ${name}`}
        onClick={() => onChange([...items, null])}
      >
        {say("add")}
      </Button>
    </div>
  );
}

function Either({ field, id, name, value, onChange }: Control<Extract<Field, { kind: "either" }>>) {
  const say = useWords(EXPLORER);
  const fitting = field.variants.findIndex((variant) => fits(variant.field, value));
  const chosen = Math.max(fitting, 0);
  const variant = field.variants[chosen];
  return (
    <div className={styles.group}>
      <Select
        aria-label={say("variant", { name })}
        value={chosen}
        options={field.variants.map((each, index) => ({ value: index, label: each.name }))}
        onChange={(index) => onChange(EMPTY[field.variants[index]?.field.kind ?? "json"])}
      />
      {variant && <FieldControl field={variant.field} id={id} name={name} value={value} onChange={onChange} />}
    </div>
  );
}

/** What a variant begins as, so that the form can tell which one it is. */
const EMPTY: Readonly<Record<Field["kind"], unknown>> = {
  text: "",
  number: 0,
  choice: undefined,
  group: {},
  list: [],
  either: undefined,
  json: {},
};

function fits(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "choice":
      return field.values.includes(value);
    case "list":
      return Array.isArray(value);
    case "group":
    case "json":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "either":
      return field.variants.some((variant) => fits(variant.field, value));
  }
}
