import { EyeInvisibleOutlined, EyeOutlined } from "@ant-design/icons-svg";
import { type InputHTMLAttributes, useState } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Icon } from "./icon.tsx";
import { type EntryNotes, LabelledEntry } from "./labelled-entry.tsx";
import styles from "./text-field.module.css";

/** A field for a line of text, lighter than a form of Ant Design. */
export function TextField({ label, hint, fault, type, ...input }: EntryNotes & InputHTMLAttributes<HTMLInputElement>) {
  const [isShown, setShown] = useState(false);
  return (
    <LabelledEntry label={label} hint={hint} fault={fault}>
      {(ties) => (
        <>
          <input {...ties} type={isShown ? "text" : type} {...input} />
          {type === "password" && <ShowButton isShown={isShown} onChange={setShown} />}
        </>
      )}
    </LabelledEntry>
  );
}

/** Its name does without the field's, by which the field is found. */
function ShowButton({ isShown, onChange }: { isShown: boolean; onChange: (isShown: boolean) => void }) {
  const say = useWords(SHARED);
  const name = say(isShown ? "hideTyped" : "showTyped");
  return (
    <button type="button" className={styles.show} aria-label={name} title={name} onClick={() => onChange(!isShown)}>
      <Icon of={isShown ? EyeOutlined : EyeInvisibleOutlined} />
    </button>
  );
}
