import { DownOutlined } from "@ant-design/icons-svg";
import { Button, Dropdown } from "antd";
import { Icon } from "../../../shared/ui/icon.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { PALETTE, type PaletteEntry } from "./components.ts";
import styles from "./palette.module.css";
import { EDITOR } from "./words.ts";

/** The components that can be put where the cursor is. */
export function Palette({ onInsert }: { onInsert: (entry: PaletteEntry) => void }) {
  const say = useWords(EDITOR);
  return (
    <fieldset className={styles.palette} aria-label={say("insert")}>
      {PALETTE.map(({ word, entries }) => (
        <Dropdown
          key={word}
          trigger={["click"]}
          getPopupContainer={(button) => button.parentElement ?? document.body}
          menu={{
            items: entries.map((entry) => ({
              key: entry.word,
              label: (
                <span className={styles.entry}>
                  {say(entry.word)}
                  <code>{entry.tag}</code>
                </span>
              ),
              onClick: () => onInsert(entry),
            })),
          }}
        >
          <Button size="small" type="text" icon={<Icon of={DownOutlined} />} iconPlacement="end">
            {say(word)}
          </Button>
        </Dropdown>
      ))}
    </fieldset>
  );
}
