import type { ApiKey } from "@docent/sdk";

const SOON_MS = 7 * 86_400_000;

export const EXPIRY_PRESETS = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "date", label: "After a day of my choice" },
] as const;

export type ExpiryPreset = (typeof EXPIRY_PRESETS)[number]["value"];

/** The moment that a choice stands for; a day of choice still counts. Null for never. */
export function expiryOf(preset: ExpiryPreset, day: string, now: Date): string | null {
  if (preset === "never") return null;
  if (preset !== "date") return new Date(now.getTime() + Number(preset) * 86_400_000).toISOString();
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}

/** Today as `<input type="date">` writes it, in the browser's own time zone. */
export function today(now: Date): string {
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

export function expiryState(
  { expiresAt }: Pick<ApiKey, "expiresAt">,
  now: Date,
): "never" | "later" | "soon" | "expired" {
  if (expiresAt === null) return "never";
  const left = new Date(expiresAt).getTime() - now.getTime();
  if (left <= 0) return "expired";
  return left < SOON_MS ? "soon" : "later";
}
