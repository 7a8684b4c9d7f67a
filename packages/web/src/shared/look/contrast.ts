/** Near black, as the texts of the pages. */
const DARK = "#101318";
const LIGHT = "#ffffff";

/** The relative luminance of a colour such as `#2456e6` (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast between two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour of text on a ground of this colour: whichever of light and dark can be read better, at least 4.3 to 1. */
export function textOn(ground: string): string {
  return contrast(ground, LIGHT) >= contrast(ground, DARK) ? LIGHT : DARK;
}
