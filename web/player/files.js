// Downloads of files for the person.

/** How long a browser may take to begin a download. */
const KEPT_FOR_MS = 60_000;

/** Saves a file through the browser. @param {Blob} file @param {string} name its name */
export function saveFile(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR_MS);
}
