export { dataFolderMode, makeFolder, PRIVATE } from '@lectern/embedded-postgres/folders';
