/** How far a step is; without `unit`, `done` and `total` are bytes, roughly. */
export interface BackupProgress {
  label: string;
  done: number;
  total: number;
  unit?: string;
}

export type OnProgress = (progress: BackupProgress) => void;
