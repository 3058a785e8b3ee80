/**
 * Letters of other alphabets that look like Latin ones, as far as they can spell a protected name.
 * Source: Unicode Technical Standard #39, confusables.txt.
 */
const LOOK_ALIKES = new Map<string, string>(
  Object.entries({
    a: "аα",
    b: "ьвβ",
    c: "сϲϹ",
    d: "ԁ",
    e: "еєε",
    f: "ƒ",
    g: "ɡցǥ",
    h: "һнհ",
    i: "іıιΙӏ",
    j: "ј",
    k: "кκ",
    l: "ⅼǀ",
    m: "мμ",
    n: "ոпη",
    o: "оοօσ",
    p: "рρ",
    q: "ԛ",
    r: "гⲅ",
    s: "ѕꜱ",
    t: "тτ",
    u: "υսц",
    v: "ѵν",
    w: "ԝш",
    x: "хχ",
    y: "уγү",
    z: "ᴢζ",
    ".": "․۔٠。｡",
    "-": "‐‑‒–—−",
    _: "＿",
    "/": "∕⁄",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/**
 * What a name looks like, for comparing it with protected ones: compatibility forms unfolded (full-width, ligatures),
 * accents and ignorable characters gone, look-alike letters as Latin ones, lower case.
 */
export function skeleton(text: string): string {
  // Before unfolding too: it makes a sigma of the letter that looks like a C.
  const plain = asLatin(text)
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\p{Cc}]/gu, "");
  return asLatin(plain.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, ""));
}

function asLatin(text: string): string {
  return [...text].map((character) => LOOK_ALIKES.get(character) ?? character).join("");
}
