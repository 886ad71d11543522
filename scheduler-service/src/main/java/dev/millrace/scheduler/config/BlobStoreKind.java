package dev.millrace.scheduler.config;

/** Where the bytes of blobs are. */
public enum BlobStoreKind {
    POSTGRES,
    FOLDER,
    S3
}
