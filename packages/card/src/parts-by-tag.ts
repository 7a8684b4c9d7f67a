import type { CardTag } from "@portico/protocol";
import type { ComponentType } from "react";
import { Button } from "./components/button.tsx";
import { Chart } from "./components/chart.tsx";
import { CollapsiblePanel, ColumnSet, Panel, Row, Stack } from "./components/containers.tsx";
import { DatePicker, DateTimePicker, TimeSelect } from "./components/date-field.tsx";
import { MultiSelect } from "./components/multi-select.tsx";
import { Overflow } from "./components/overflow.tsx";
import { Person, PersonList } from "./components/persons.tsx";
import { Image, ImageCombination } from "./components/pictures.tsx";
import { Select } from "./components/select.tsx";
import { TablePart } from "./components/table.tsx";
import { Input, Textarea } from "./components/text-field.tsx";
import { Icon, MarkdownText, Note, PlainText, Rule, TextTag, Unknown } from "./components/texts.tsx";
import { Checkbox, Radio } from "./components/toggle.tsx";
import type { PartProps } from "./parts/part.ts";

const PARTS: Readonly<Record<CardTag, ComponentType<PartProps>>> = {
  plain_text: PlainText,
  text: PlainText,
  markdown: MarkdownText,
  lark_md: MarkdownText,
  text_tag: TextTag,
  text_tag_list: Row,
  column_set: ColumnSet,
  column: Panel,
  form: Stack,
  interactive_container: Panel,
  collapsible_panel: CollapsiblePanel,
  recycling_container: Stack,
  hr: Rule,
  divider: Rule,
  img: Image,
  image: Image,
  img_combination: ImageCombination,
  icon: Icon,
  person: Person,
  person_list: PersonList,
  button: Button,
  overflow: Overflow,
  action: Row,
  input: Input,
  textarea: Textarea,
  checkbox: Checkbox,
  radio: Radio,
  select_static: Select,
  select_person: Select,
  select_time: TimeSelect,
  date_picker: DatePicker,
  picker_datetime: DateTimePicker,
  multi_select_static: MultiSelect,
  multi_select_person: MultiSelect,
  table: TablePart,
  chart: Chart,
  note: Note,
};

/** What draws components of this tag. */
export function partFor(tag: string): ComponentType<PartProps> {
  return Object.hasOwn(PARTS, tag) ? PARTS[tag as CardTag] : Unknown;
}
