const whole = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});

export function formatCount(count: number): string {
  return whole.format(count);
}

/** How much more or less than before, in words. */
export function formatChange(now: number, before: number): string {
  if (before === 0) return now === 0 ? "no change" : "none before";
  const share = now / before - 1;
  // "+0 %" would deny a change that there was.
  if (share !== 0 && Math.abs(share) < 0.005) return share > 0 ? "up by less than 1%" : "down by less than 1%";
  return share === 0 ? "no change" : percent.format(share);
}
