// A line that answers requests over HTTP as operations of the socket: by the end of their paths.

/** @param {(op: string, fields: any) => Promise<any>} ask @returns {(method: string, path: string, more?: {body?: any}) => Promise<any>} */
export const httpOver = (ask) => (_, path, { body = {} } = {}) => ask(path.split("/")[3] ?? "snapshot", body);
