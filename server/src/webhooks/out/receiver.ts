import { isAddressIn, normalizeCidr } from "../../access/cidr.ts";
import { embeddedIn, isPrivateAddress } from "../../network/address.ts";

/** Which private addresses webhooks may go to: none, all, or those in CIDR ranges. */
export type PrivateReceivers = "refuse" | "allow" | readonly string[];

/** Whether webhooks may not go to an address. */
export function createReceiverRule(allowed: PrivateReceivers): (address: string) => boolean {
  if (allowed === "allow") return () => false;
  if (allowed === "refuse") return isPrivateAddress;
  const cidrs = allowed.map((range) => normalizeCidr(range)).filter((range) => range !== undefined);
  // A range of IPv4 also allows the IPv6 addresses that stand for what is in it.
  return (address) => isPrivateAddress(address) && !isAddressIn(cidrs, embeddedIn(address) ?? address);
}

/** What is wrong with a webhook's URL, naming the setting; undefined when nothing is. */
export function webhookUrlProblem(text: string, allowed: PrivateReceivers): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "settings.webhookUrl: give an https:// URL.";
  }
  if (url.username !== "" || url.password !== "") {
    return "settings.webhookUrl: leave out the user and the password; receivers know Docent by its signature.";
  }
  if (url.hash !== "") return "settings.webhookUrl: leave out what follows the #, which is never sent.";
  if (url.protocol === "http:" && allowed === "refuse") {
    return "settings.webhookUrl: give an https:// URL; http:// is for receivers inside, where the server allows them (DOCENT_WEBHOOKS_PRIVATE).";
  }
  return undefined;
}
