/** Elements that run or embed, under any prefix; event handlers; HTML's elements; entities that could hold either; XSLT. */
const MARKUP =
  /<(?:[\w.-]+:)?(?:script|foreignObject|handler|iframe|embed|object)[\s>/]|[\s"']on[a-z]+\s*=\s*["']|www\.w3\.org\/1999\/xhtml|<!ENTITY|<\?xml-stylesheet/i;

/** Addresses that run. Browsers leave out white space and control characters in them. */
const ADDRESS = /javascript:|data:(?:text\/html|application\/xhtml)/i;

/** Whether an SVG image holds script, or embedded HTML, that would run when a reader opens the file. */
export function hasSvgScript(text: string): boolean {
  // A value may be written in character references, wholly or in part.
  const plain = text.replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (whole, hexadecimal?: string, decimal?: string) => {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return MARKUP.test(plain) || ADDRESS.test(plain.replaceAll(/[\s\p{Cc}]|&(?:Tab|NewLine);/gu, ""));
}
