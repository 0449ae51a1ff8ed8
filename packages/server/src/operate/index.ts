export { createBackup } from './create-backup.ts'
export { resetUser } from './reset-user.ts'
export { restoreBackup } from './restore-backup.ts'
export { rotateSecrets } from './rotate-secrets.ts'
