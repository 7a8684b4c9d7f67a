import { Fragment } from "react";

/** A name of parts, as a kind of event, a scope or a path, in a code of its own: too long for its place, it is broken between parts. */
export function BrokenName({ name }: { name: string }) {
  return name.split(/(?<=\.)|(?=\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name stay where they are, and may be alike
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
