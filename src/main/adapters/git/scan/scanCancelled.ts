/** Thrown out of a scan that was asked to stop. */
export class ScanCancelled extends Error {}
