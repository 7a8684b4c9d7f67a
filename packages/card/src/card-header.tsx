import type { ReactNode } from "react";
import { ElementList } from "./element-view.tsx";
import { colorOf } from "./model/colors.ts";
import { DRAWN } from "./model/limits.ts";
import type { Link } from "./model/links.ts";
import type { CardHeader } from "./model/read-card.ts";
import { cut } from "./model/text.ts";
import { CardLink } from "./parts/card-link.tsx";

interface Props {
  header: CardHeader;
  titleId: string;
  /** Where a press on the card leads; the title is the link for those who use no mouse. */
  link: Link | null;
}

/** Title, subtitle, icon and tags, on the colour that the card names. */
export function CardHeaderView({ header, titleId, link }: Props): ReactNode {
  const title = cut(header.title, DRAWN.captionChars);
  return (
    <div className="pc-header" data-color={colorOf(header.template) ?? "default"}>
      <div className="pc-header-line">
        {header.icon !== "" && (
          <span className="pc-icon" dir="auto">
            {cut(header.icon, DRAWN.captionChars)}
          </span>
        )}
        {title !== "" && (
          <h3 className="pc-title" id={titleId} dir="auto">
            {link === null ? (
              title
            ) : (
              <CardLink address={link.href} className="pc-title-link">
                {title}
              </CardLink>
            )}
          </h3>
        )}
        {header.tags.length > 0 && (
          <div className="pc-row pc-header-tags">
            <ElementList nodes={header.tags} />
          </div>
        )}
      </div>
      {header.subtitle !== "" && (
        <p className="pc-subtitle" dir="auto">
          {cut(header.subtitle, DRAWN.captionChars)}
        </p>
      )}
    </div>
  );
}
