const COMMENTS = /(?:^|\/)(?:(?:modern|threaded)?comments?|persons?|authors)\w{0,80}\.xml$/i;

/** Whether a part of an Office file holds nothing but comments, without which the file can be read. */
export const isCommentsPart = (name: string): boolean => COMMENTS.test(name);
