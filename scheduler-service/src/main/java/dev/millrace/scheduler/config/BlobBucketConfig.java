package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Optional;

/**
 * A bucket of S3, or of a store that speaks its protocol. Credentials come from where all programs of AWS look for them.
 *
 * @param name name of the bucket, which exists
 * @param prefix beginning of all keys
 * @param endpoint address of the store; absent for that of AWS in the region
 * @param region name of the region; absent for what the environment says
 * @param pathStyle whether addresses name the bucket in their path, and not in their host
 */
public record BlobBucketConfig(
        String name, String prefix, Optional<URI> endpoint, Optional<String> region, boolean pathStyle) {
    public BlobBucketConfig {
        requireNonNull(name, "name");
        requireNonNull(prefix, "prefix");
        requireNonNull(endpoint, "endpoint");
        requireNonNull(region, "region");
        endpoint.ifPresent(address -> Expect.that(
                address.getHost() != null,
                KnownKeys.BLOB_S3_ENDPOINT,
                "\"" + address + "\"",
                "a URL with a host, such as https://s3.example.com"));
    }
}
