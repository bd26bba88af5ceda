/** The address of a server whose output is a pipe, once it has printed that it is ready. */
export const readyAddress = (printed: string): string | undefined =>
  /"address":"(http:[^"]+)".*"msg":"Lectern is ready"/.exec(printed)?.[1];
