import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasSvgScript } from "./svg-script.ts";

const svg = (inner: string, attributes = ""): string =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inner}</svg>`;

test.each([
  svg("<script>alert(1)</script>"),
  svg("<s:script>alert(1)</s:script>", ' xmlns:s="http://www.w3.org/2000/svg"'),
  svg("", ' onload="alert(1)"'),
  svg("", ' id="a"\nonload = "alert(1)"'),
  svg('<a href="javascript:alert(1)"><text>a</text></a>'),
  svg('<a href="java&#115;cript:alert(1)"><text>a</text></a>'),
  svg('<a href="&#x6A;avascript&#58;alert(1)"><text>a</text></a>'),
  svg('<a href="java\nscript:alert(1)"><text>a</text></a>'),
  svg('<a href="java&#10;script:alert(1)"><text>a</text></a>'),
  svg('<set attributeName="href" to="javascript:alert(1)"/>'),
  svg('<a href="data:text/html,x"><text>a</text></a>'),
  svg("<foreignObject><b/></foreignObject>"),
  svg('<h:iframe src="x"/>', ' xmlns:h="http://www.w3.org/1999/xhtml"'),
  svg('<h:video src="x"/>', ' xmlns:h="http://www.w3.org/1999/&#120;html"'),
  `<!DOCTYPE svg [<!ENTITY x "y">]>${svg("&x;")}`,
  `<?xml-stylesheet type="text/xsl" href="a.xsl"?>${svg("")}`,
])("sees script in %s", (text) => {
  expect(hasSvgScript(text)).toBe(true);
});

test.each([
  svg('<title>On and off: once = 1</title><path d="M0 0"/>'),
  svg('<style>.a { fill: red }</style><a href="https://example.com"><text>a &#38; b</text></a>'),
  svg('<image href="data:image/png;base64,AAAA"/><metadata>description</metadata>'),
  ...["architecture", "rollout", "targeting"].map((name) =>
    readFileSync(new URL(`../../../examples/docs/images/${name}.svg`, import.meta.url), "utf8"),
  ),
])("sees none in %#", (text) => {
  expect(hasSvgScript(text)).toBe(false);
});
