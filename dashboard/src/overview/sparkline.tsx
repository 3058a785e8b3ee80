import classes from "./overview.module.css";

const WIDTH = 100;
const HEIGHT = 30;

/** Lines without axes: how something went, not how much it was. Drawn by hand, since a chart library weighs more than the page. */
export function Sparkline({
  label,
  lines,
}: {
  label: string;
  lines: readonly { color: string; values: readonly number[] }[];
}) {
  const highest = Math.max(1, ...lines.flatMap(({ values }) => values));
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {lines.map(({ color, values }) => (
        <polyline
          key={color}
          stroke={color}
          points={values
            .map(
              (value, index) => `${(index / Math.max(1, values.length - 1)) * WIDTH},${HEIGHT * (1 - value / highest)}`,
            )
            .join(" ")}
        />
      ))}
    </svg>
  );
}
