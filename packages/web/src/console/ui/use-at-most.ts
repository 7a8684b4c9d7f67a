import type { FormRule } from "antd";
import { useTooLong } from "../../shared/ui/use-too-long.ts";

/** A form's rule that a text has at most so many characters. */
export function useAtMost(): (most: number) => FormRule {
  const tooLong = useTooLong();
  return (most) => ({
    async validator(_rule, text: string = "") {
      const fault = tooLong(text, most);
      if (fault !== undefined) throw new Error(fault);
    },
  });
}
