import { Button } from "antd";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./form-buttons.module.css";

/** What ends a form in a page: its first button saves it. */
export function FormButtons({ isPending, onCancel }: { isPending: boolean; onCancel: () => void }) {
  const say = useWords(SHARED);
  return (
    <div className={styles.buttons}>
      <Button type="primary" htmlType="submit" loading={isPending}>
        {say("save")}
      </Button>
      <Button onClick={onCancel}>{say("cancel")}</Button>
    </div>
  );
}
