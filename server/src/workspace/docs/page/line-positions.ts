/** Turns offsets of a text into 1-based lines and columns. */
export function createLinePositions(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) starts.push(index + 1);
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(1, offset - (starts[low] ?? 0) + 1 - (low === 0 ? bom : 0)) };
  };
}
