import { useState } from "react";
import type { Say } from "../../shared/words/words.ts";
import { type KeysOf, useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import { nameOf, type Schema, useApiDocument } from "./api-document.ts";
import styles from "./schema-view.module.css";

/** Fields that hold what a body or an answer is about; they are open from the start. */
const OPENED: ReadonlySet<string> = new Set(["value", "content"]);

/** The fields of a schema, each with its type and what may stand in it; those within are drawn when they are opened. */
export function SchemaView({ schema }: { schema: Schema }) {
  const say = useWords(DOCS);
  const { components } = useApiDocument();
  const { properties, required = [], alternatives, items } = resolve(schema, components.schemas);
  if (alternatives.length > 1) return <Alternatives alternatives={alternatives} />;
  if (items !== undefined) return <SchemaView schema={items} />;
  const fields = Object.entries(properties);
  if (fields.length === 0) return <p className={styles.none}>{say("noFields")}</p>;
  return (
    <ul className={styles.fields}>
      {fields.map(([name, field]) => (
        <Field key={name} name={name} schema={field} isRequired={required.includes(name)} />
      ))}
    </ul>
  );
}

/** One of several forms, chosen by its name. */
function Alternatives({ alternatives }: { alternatives: readonly Schema[] }) {
  const say = useWords(DOCS);
  const [chosen, setChosen] = useState(0);
  const shown = alternatives[chosen];
  return (
    <div className={styles.alternatives}>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{say("oneOf")}</legend>
        {alternatives.map((alternative, index) => (
          <button
            key={titleOf(alternative, index)}
            type="button"
            aria-pressed={index === chosen}
            onClick={() => setChosen(index)}
          >
            {titleOf(alternative, index)}
          </button>
        ))}
      </fieldset>
      {shown && <SchemaView key={chosen} schema={shown} />}
    </div>
  );
}

function Field({ name, schema, isRequired }: { name: string; schema: Schema; isRequired: boolean }) {
  const say = useWords(DOCS);
  const { components } = useApiDocument();
  const resolved = resolve(schema, components.schemas);
  const [isOpen, setOpen] = useState(OPENED.has(name));
  const bounds = boundsOf(resolved.schema, say);
  const head = (
    <>
      <code className={styles.name}>{name}</code>{" "}
      <span className={styles.type}>{typeOf(schema, components.schemas, say)}</span>
      {isRequired && <span className={styles.required}>{say("required")}</span>}
    </>
  );
  const notes = [resolved.schema.description, ...bounds].filter(Boolean).join(". ");
  return (
    <li>
      {resolved.hasInner ? (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{head}</summary>
          {notes && <p className={styles.notes}>{notes}</p>}
          {isOpen && <SchemaView schema={schema} />}
        </details>
      ) : (
        <>
          <div className={styles.head}>{head}</div>
          {notes && <p className={styles.notes}>{notes}</p>}
        </>
      )}
    </li>
  );
}

type Schemas = Readonly<Record<string, Schema>>;

interface Resolved {
  schema: Schema;
  properties: Readonly<Record<string, Schema>>;
  required: readonly string[] | undefined;
  /** What it may be, null left out; empty or one for a schema that is one thing. */
  alternatives: readonly Schema[];
  items: Schema | undefined;
  /** Whether there is anything to open. */
  hasInner: boolean;
}

/** What a schema means: references followed, and "or null" put aside. */
function resolve(schema: Schema, schemas: Schemas): Resolved {
  if (schema.$ref !== undefined) return resolve(schemas[nameOf({ $ref: schema.$ref })] ?? {}, schemas);
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== "null");
  const [only] = alternatives;
  if (alternatives.length === 1 && only !== undefined) return resolve(only, schemas);
  const { properties = {}, required, items } = schema;
  const inner = items && resolve(items, schemas);
  const hasInner =
    Object.keys(properties).length > 0 ||
    inner?.hasInner === true ||
    alternatives.some((each) => resolve(each, schemas).hasInner);
  return { schema, properties, required, alternatives, items, hasInner };
}

function typeOf(schema: Schema, schemas: Schemas, say: Say<KeysOf<typeof DOCS>>): string {
  if (schema.$ref !== undefined) return nameOf({ $ref: schema.$ref });
  const { const: constant, enum: values, items, type } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (items !== undefined) return say("listOf", { what: typeOf(items, schemas, say) });
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) {
    return [...new Set(alternatives.map((each) => typeOf(each, schemas, say)))].join(` ${say("or")} `);
  }
  return [type ?? "any"].flat().join(` ${say("or")} `);
}

function boundsOf(schema: Schema, say: Say<KeysOf<typeof DOCS>>): string[] {
  const { minimum, maximum, minLength, maxLength } = schema;
  const bounds: string[] = [];
  const largest = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const range = rangeOf(minimum, largest, say);
  if (range !== undefined) bounds.push(range);
  const length = rangeOf(minLength, maxLength, say);
  if (length !== undefined) bounds.push(say("characters", { range: length, count: maxLength ?? minLength ?? 0 }));
  if (schema.default !== undefined) bounds.push(say("usual", { value: String(schema.default) }));
  return bounds;
}

function rangeOf(min: number | undefined, max: number | undefined, say: Say<KeysOf<typeof DOCS>>): string | undefined {
  if (min !== undefined && max !== undefined) return say("between", { min, max });
  if (max !== undefined) return say("atMost", { max });
  return min === undefined ? undefined : say("atLeast", { min });
}

function titleOf({ title, $ref }: Schema, index: number): string {
  return title ?? ($ref === undefined ? `${index + 1}` : nameOf({ $ref }));
}
