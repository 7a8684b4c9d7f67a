import type { CSSProperties, ReactNode } from "react";
import { isJsonObject, type JsonObject, listOf, member } from "../model/json.ts";
import { DRAWN } from "../model/limits.ts";
import { captionOf } from "../model/text.ts";
import { More, Nothing } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";
import { Picture } from "../parts/picture.tsx";

/** `img` and `image`. */
export function Image({ element }: PartProps): ReactNode {
  return (
    <Picture
      address={pictureAddress(element)}
      alt={captionOf(member(element, "alt")) || captionOf(member(element, "title"))}
      {...sizeOf(member(element, "size"))}
    />
  );
}

/** `img_combination`: the pictures of `img_list`, in a grid. */
export function ImageCombination({ element }: PartProps): ReactNode {
  const all = listOf(element, "img_list");
  const shown = all.slice(0, DRAWN.pictures);
  if (shown.length === 0) return <Nothing />;
  return (
    <div>
      <ul className="pc-pictures" data-count={shown.length}>
        {shown.map((entry, index) => {
          const picture = isJsonObject(entry) ? entry : { url: entry };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: pictures have no names of their own, and keep their places
            <li key={index}>
              <Picture
                address={pictureAddress(picture)}
                alt={captionOf(member(picture, "alt"))}
                ratio="1"
                className="pc-sized"
              />
            </li>
          );
        })}
      </ul>
      <More count={all.length - shown.length} />
    </div>
  );
}

/** The first of `img_url`, `url`, `img_key` that is there (docs/contract/cards.md#what-clients-draw). */
function pictureAddress(element: JsonObject): unknown {
  for (const field of ["img_url", "url", "img_key"]) {
    const address = member(element, field);
    if (address !== undefined && address !== null && address !== "") return address;
  }
  return undefined;
}

const NAMED_SIZES: Readonly<Record<string, string>> = { tiny: "24px", small: "80px", medium: "140px", large: "220px" };

/** What a card says of a picture's size, as far as it is one that a card has room for. */
function sizeOf(size: unknown): { ratio?: string; style?: CSSProperties; className?: string } {
  if (typeof size !== "string") return {};
  const [, across, down] = /^(\d{1,2}):(\d{1,2})$/.exec(size) ?? [];
  if (Number(across) > 0 && Number(down) > 0) return { ratio: `${across} / ${down}`, className: "pc-sized" };
  const [, width, height] = /^(\d{1,3})px (\d{1,3})px$/.exec(size) ?? [];
  if (Number(width) > 0 && Number(height) > 0) {
    return { ratio: `${width} / ${height}`, style: { inlineSize: `${width}px` }, className: "pc-sized pc-fixed" };
  }
  const named = Object.hasOwn(NAMED_SIZES, size) ? NAMED_SIZES[size] : undefined;
  return named === undefined ? {} : { ratio: "1", style: { inlineSize: named }, className: "pc-sized pc-fixed" };
}
