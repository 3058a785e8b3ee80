import { useSearchParams } from "wouter";

/**
 * What of a page's state is in the query of its address, so that it can be kept, shared and gone back to.
 * @returns the query, and a function that sets some of it; null takes a parameter away.
 */
export function useAddressState(): [URLSearchParams, (changes: Record<string, string | null>) => void] {
  const [address, setAddress] = useSearchParams();
  return [
    address,
    (changes) =>
      setAddress(
        (current) => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries(changes)) {
            if (value === null) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
  ];
}
