/** The database of the browser for files that wait to be sent. */
const NAME = "portico-files";
const STORE = "files";

let opening: Promise<IDBDatabase> | null = null;

/** Rejects where the browser keeps nothing, as in private windows. */
function opened(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      // Another page may want to delete it.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
  }).catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

async function use<T>(mode: IDBTransactionMode, work: (files: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened();
  return await new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Keeps a file across pages; false where that cannot be. */
export async function keepFile(key: string, file: File): Promise<boolean> {
  try {
    await use("readwrite", (files) => files.put(file, key));
    return true;
  } catch {
    return false;
  }
}

/** The file that was kept; null when it is not there. */
export async function keptFile(key: string): Promise<File | null> {
  try {
    const file: unknown = await use("readonly", (files) => files.get(key));
    return file instanceof File ? file : null;
  } catch {
    return null;
  }
}

export async function forgetFile(key: string): Promise<void> {
  await use("readwrite", (files) => files.delete(key)).catch(() => {});
}

/** Forgets the files whose keys begin with `prefix`, but for those of `except`. */
export async function forgetFilesOf(prefix: string, except: ReadonlySet<string> = new Set()): Promise<void> {
  try {
    const keys = await use("readonly", (files) => files.getAllKeys(IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
    for (const key of keys) if (typeof key === "string" && !except.has(key)) await forgetFile(key);
  } catch {
    // Then there are none.
  }
}
