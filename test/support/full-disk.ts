/** A disk that has no room for a text. */
import fs from "node:fs";
import promises from "node:fs/promises";

/** Writes half of each text that contains the word, and throws, until the end of the test. */
export function fullDisk(word: string): void {
  const write = fs.writeFileSync;
  const spy = jest.spyOn(fs, "writeFileSync").mockImplementation((to, text, options) => {
    if (!String(text).includes(word)) return write(to, text, options);
    write(to, String(text).slice(0, String(text).length / 2), options);
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  });
  const { writeFile } = promises;
  const later = jest.spyOn(promises, "writeFile").mockImplementation(async (to, text, options) => {
    if (!String(text).includes(word)) return writeFile(to, text, options);
    await writeFile(to, String(text).slice(0, String(text).length / 2), options);
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  });
  restore = () => [spy, later].forEach((one) => one.mockRestore());
}

let restore = () => {};
afterEach(() => restore());
