/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { excessOf } from "../../shared/text/text-length.ts";
import { Icon } from "./icon.tsx";
import styles from "./rating.module.css";
import { useSpeech } from "./widget-context.ts";

/** The most characters of a comment, as the service takes them. */
const MAX_COMMENT_LENGTH = 1_000;

/** Asks how the conversation was, after it has been closed. */
export function Rating({ onRate }: { onRate: (rating: number, comment: string) => Promise<void> }) {
  const { words, format } = useSpeech();
  const [rating, setRating] = useState(0);
  const [comment, setComment] = useState("");
  const [state, setState] = useState<"open" | "sending" | "failed">("open");
  const excess = excessOf(comment, MAX_COMMENT_LENGTH);
  return (
    <form
      class={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (rating === 0 || excess > 0 || state === "sending") return;
        setState("sending");
        onRate(rating, comment).catch(() => setState("failed"));
      }}
    >
      <fieldset>
        <legend>{words.rate}</legend>
        <div class={styles.stars}>
          {words.stars.map((name, index) => (
            <label key={name} class={index < rating ? styles.chosen : ""} title={name}>
              <input
                type="radio"
                name="rating"
                value={index + 1}
                aria-label={name}
                checked={rating === index + 1}
                onChange={() => setRating(index + 1)}
              />
              <Icon of="star" />
            </label>
          ))}
        </div>
        {rating > 0 && (
          <textarea
            aria-label={words.comment}
            placeholder={words.comment}
            rows={2}
            aria-invalid={excess > 0 || undefined}
            value={comment}
            onInput={({ currentTarget }) => setComment(currentTarget.value)}
          />
        )}
      </fieldset>
      {excess > 0 && (
        <p role="status" class={styles.bad}>
          {words.tooLong(excess, format.number(MAX_COMMENT_LENGTH))}
        </p>
      )}
      {state === "failed" && (
        <p role="alert" class={styles.bad}>
          {words.rateFailed}
        </p>
      )}
      <button type="submit" disabled={rating === 0 || excess > 0 || state === "sending"}>
        {words.sendRating}
      </button>
    </form>
  );
}
