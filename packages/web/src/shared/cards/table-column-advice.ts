/** `TABLE_COLUMN_SUGGESTION` in Chinese: the rule alone does not tell it from others. */
export const TABLE_COLUMN_IN_CHINESE =
  '表格 columns 中的每一项都按组件检查：请在每列中写明 "tag": "text"，或去掉 columns，把内容全部写进 rows（二维数组，首行为表头）。';
