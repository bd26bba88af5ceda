/** Permissions of the sender of a request. */
export interface Access {
  indexes: string[];
  may: (action: string) => boolean;
  reaches: (indexUid: string) => boolean;
  /** What a tenant token adds to each search of an index. */
  filterOf?: (indexUid: string) => string | undefined;
  isToken?: boolean;
}
