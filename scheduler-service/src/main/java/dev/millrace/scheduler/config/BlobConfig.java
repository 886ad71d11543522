package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of blobs.
 *
 * @param store where new blobs are stored; blobs in the other stores stay readable as long as those are set, too
 * @param folder folder for blobs; absent for none
 * @param bucket bucket for blobs; absent for none
 * @param bytesMax maximum number of bytes of one blob
 * @param unusedTime time after which an uploaded blob is deleted if no run has loaded it
 */
public record BlobConfig(
        BlobStoreKind store,
        Optional<Path> folder,
        Optional<BlobBucketConfig> bucket,
        long bytesMax,
        Duration unusedTime) {
    static final long BYTES_MAX_DEFAULT = 5L << 30;
    static final Duration UNUSED_TIME_DEFAULT = Duration.ofDays(1);

    /** In Postgres. */
    public static final BlobConfig DEFAULT = new BlobConfig(
            BlobStoreKind.POSTGRES, Optional.empty(), Optional.empty(), BYTES_MAX_DEFAULT, UNUSED_TIME_DEFAULT);

    public BlobConfig {
        requireNonNull(store, "store");
        requireNonNull(folder, "folder");
        requireNonNull(bucket, "bucket");
        Expect.that(
                store != BlobStoreKind.FOLDER || folder.isPresent(),
                KnownKeys.BLOB_FOLDER,
                "not set",
                "the path of a folder, because " + KnownKeys.BLOB_STORE + " is folder");
        Expect.that(
                store != BlobStoreKind.S3 || bucket.isPresent(),
                KnownKeys.BLOB_S3_BUCKET,
                "not set",
                "the name of a bucket, because " + KnownKeys.BLOB_STORE + " is s3");
        Expect.positive(KnownKeys.BLOB_BYTES_MAX, bytesMax);
        Expect.positive(KnownKeys.BLOB_UNUSED_TIME, unusedTime);
    }
}
