import { Fragment } from "react";

/** The name of a kind of event, in a code of its own: one that is too long for its place is broken after a dot. */
export function EventTypeName({ eventType }: { eventType: string }) {
  return eventType.split(".").map((part, at) => (
    <Fragment key={part}>
      {at > 0 && (
        <>
          .<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}
