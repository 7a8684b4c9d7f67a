import { Modal as AntdModal, type ModalProps } from "antd";
import { useFocusReturn } from "./use-focus-return.ts";

/**
 * A dialog of Ant Design that is there as long as it is drawn. Ant Design gives the focus back only where it is told to
 * close; one that is taken away would leave a person with a keyboard at the top of the page.
 */
export function Modal(props: Omit<ModalProps, "open">) {
  useFocusReturn();
  return <AntdModal open {...props} />;
}
