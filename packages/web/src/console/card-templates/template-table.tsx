import { Button } from "antd";
import { Link } from "react-router";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import type { Paging } from "../lists/paging-bar.tsx";
import type { Template } from "./template-queries.ts";
import { TEMPLATES } from "./words.ts";

/** A page of templates; each is a link to its studio. */
export function TemplateTable({
  items,
  paging,
  onRemove,
}: {
  items: readonly Template[];
  paging: Paging;
  onRemove: ((template: Template) => void) | undefined;
}) {
  const say = useWords(TEMPLATES);
  const format = useFormat();
  const columns: ListColumn<Template>[] = [
    {
      key: "name",
      title: say("name"),
      cell: ({ cardId, name }) => <Link to={encodeURIComponent(cardId)}>{name}</Link>,
    },
    { key: "cardId", title: "cardId", kind: "wide", cell: ({ cardId }) => <Copyable text={cardId} /> },
    { key: "version", title: say("version"), kind: "wide-number", cell: ({ version }) => format.number(version) },
    { key: "updated", title: say("updated"), cell: (template) => <Updated template={template} /> },
  ];
  const actions = (template: Template) => (
    <Button
      danger
      size="small"
      aria-label={say("removeNamed", { name: template.name })}
      onClick={() => onRemove?.(template)}
    >
      {say("remove")}
    </Button>
  );
  return (
    <ListTable<Template>
      label={say("title")}
      columns={columns}
      rows={items}
      idOf={({ cardId }) => cardId}
      actions={onRemove && actions}
      paging={paging}
      empty={null}
    />
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
