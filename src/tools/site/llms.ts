/** llms.txt, the index of the site for language models, and llms-full.txt, which contains all pages. */
import { sidebarOf, type Page } from "./pages";

const summary =
  "A Terraform provider, CDKTF constructs and a review of plans for Auth0 tenants: network ACLs, rate limit policies and members of organizations.";

export function llmsIndex(pages: readonly Page[]): string {
  const groups = sidebarOf(pages).map(({ text, items }) => {
    const lines = items.map(({ link }) => {
      const { title, summary: about, file } = pages.find((page) => `/${page.file}` === `${link}.md`)!;
      return `- [${title}](${file}): ${about}`;
    });
    return [`## ${text}`, "", ...lines, ""].join("\n");
  });
  return `# Tenantform\n\n> ${summary}\n\nllms-full.txt contains all pages.\n\n${groups.join("\n")}`;
}

export function llmsFull(pages: readonly Page[]): string {
  return pages.map(({ file, text }) => `<!-- ${file} -->\n\n${text.trimEnd()}\n`).join("\n");
}
