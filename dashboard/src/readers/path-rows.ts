import { useAddressState } from "./address-state.ts";

export const ROWS_PER_PAGE = 50;

const SORTS = ["total", "human", "ai", "path"] as const;
export type PathSort = (typeof SORTS)[number];

export interface PathRows {
  search: string;
  sort: PathSort;
  order: "asc" | "desc";
  /** From 1 on. */
  page: number;
}

/** Which rows a table of paths shows, kept in the address under the table's own names. */
export function usePathRows(name: string): PathRows & { set: (changes: Partial<PathRows>) => void } {
  const [address, setAddress] = useAddressState();
  const named = (field: keyof PathRows): string => `${name}-${field}`;
  const sort = SORTS.find((each) => each === address.get(named("sort"))) ?? "total";
  const order = address.get(named("order"));
  const page = Number(address.get(named("page")));
  return {
    search: address.get(named("search")) ?? "",
    sort,
    order: order === "asc" || order === "desc" ? order : sort === "path" ? "asc" : "desc",
    page: Number.isSafeInteger(page) && page >= 1 ? Math.min(page, 1_000_000) : 1,
    set(changes) {
      setAddress(
        Object.fromEntries(
          Object.entries(changes).map(([field, value]): [string, string | null] => [
            named(field as keyof PathRows),
            value === "" || (field === "page" && value === 1) ? null : String(value),
          ]),
        ),
      );
    },
  };
}

/** What other days begin with anew: the first page of each table. */
export function firstPages(...names: string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [`${name}-page`, null]));
}
