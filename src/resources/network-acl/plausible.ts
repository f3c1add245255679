/** Warns of criteria and actions that the service accepts although they are probably mistakes. */
import { canonicalBlock, countAddresses, formatBlock, parseBlock } from "../../access/access";
import { amountWords } from "../../impact/amount";
import { urlIn } from "../../text/url";
import { each, single } from "../values";

/** A block with host bits set usually means one address, or has the wrong length. */
export const cidrBlocks = each((written) => {
  const block = parseBlock(written);
  const [address = ""] = written.split("/");
  if (!block || canonicalBlock(address) === formatBlock({ ...block, length: block.family === 4 ? 32 : 128 })) {
    return undefined;
  }
  const [size] = amountWords(countAddresses([block], block.family), ["address", "addresses"]);
  return `${JSON.stringify(written)} means all ${size} of ${formatBlock(block)}. Write ${formatBlock(block)}, or ${address} for this address alone.`;
});

export const redirectUri = single((uri) =>
  urlIn(uri) !== undefined && /^https?:\/\//i.test(uri)
    ? undefined
    : `\`redirect_uri\` is ${JSON.stringify(uri)}, which is not a whole URL. Give one such as https://example.com/blocked.`,
);

export const userAgents = each((agent) =>
  agent.includes("*")
    ? `${JSON.stringify(agent)} contains *, which the service does not document as a wildcard. Give whole user agents.`
    : undefined,
);
