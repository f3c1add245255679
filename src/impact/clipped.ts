/** Shortens a name that other people wrote, without splitting a character. */
export function clipped(text: string, most = 48): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}
