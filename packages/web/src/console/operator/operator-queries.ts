import { useMutation, useQueryClient } from "@tanstack/react-query";

/** The key of the operators' answers: all that begin with it are asked for anew after a change. */
export const OPERATOR_KEY = "operator";

/** Does something as an operator, after which what is shown of it is asked for anew. */
export function useOperatorChange<Input = void, Answer = unknown>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // What has failed may have done so because others were faster.
    onSettled: () =>
      Promise.all([OPERATOR_KEY, "apps", "app"].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
