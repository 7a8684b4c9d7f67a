import { Button } from "antd";
import { Link } from "react-router";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import type { Template } from "./template-queries.ts";
import styles from "./template-table.module.css";
import { TEMPLATES } from "./words.ts";

/** Templates, a row each. */
export function TemplateTable({
  items,
  onRemove,
}: {
  items: readonly Template[];
  onRemove: ((template: Template) => void) | undefined;
}) {
  const say = useWords(TEMPLATES);
  const format = useFormat();
  return (
    <table className={styles.table} aria-label={say("title")}>
      <thead>
        <tr>
          <th scope="col">{say("name")}</th>
          <th scope="col">{say("cardId")}</th>
          <th scope="col" className={styles.version}>
            {say("version")}
          </th>
          <th scope="col">{say("updated")}</th>
          {onRemove && <td />}
        </tr>
      </thead>
      <tbody>
        {items.map((template) => (
          <tr key={template.cardId}>
            <th scope="row">
              <Link to={encodeURIComponent(template.cardId)}>{template.name}</Link>
            </th>
            <td>
              <Copyable text={template.cardId} />
            </td>
            <td className={styles.version}>{format.number(template.version)}</td>
            <td className={styles.quiet}>
              <Updated template={template} />
            </td>
            {onRemove && (
              <td className={styles.remove}>
                <Button
                  type="text"
                  danger
                  size="small"
                  aria-label={say("removeNamed", { name: template.name })}
                  onClick={() => onRemove(template)}
                >
                  {say("remove")}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Updated({ template: { updatedAt, updatedBy } }: { template: Template }) {
  const say = useWords(TEMPLATES);
  if (updatedAt === null) return say("provisioned");
  return (
    <>
      <TimeAgo at={updatedAt} /> {updatedBy !== null && say("by", { name: updatedBy.name })}
    </>
  );
}
